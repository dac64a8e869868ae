mod builder;
mod damaged;
mod damaged_fonts;
mod damaged_objects;
mod hostile;
mod lenient;
