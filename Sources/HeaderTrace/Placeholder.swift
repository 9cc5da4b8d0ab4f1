// HeaderTrace
