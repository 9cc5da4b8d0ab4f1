// headerctl
