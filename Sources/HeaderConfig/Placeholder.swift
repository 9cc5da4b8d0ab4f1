// HeaderConfig
