// HeaderService
