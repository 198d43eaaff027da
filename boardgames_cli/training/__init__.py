"""What fills the data folders of games: learning from play."""
