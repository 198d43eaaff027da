"""The files of the original playground: state files and recorded games."""
