"""What a tournament tells at its end: tables, documents, plots, and files for other programs."""
