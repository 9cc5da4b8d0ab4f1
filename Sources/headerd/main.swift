// headerd
