mod builder;
mod damaged;
mod damaged_fonts;
mod hostile;
mod lenient;
