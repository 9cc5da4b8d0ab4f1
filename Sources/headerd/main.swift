// SPDX-License-Identifier: MIT
import Glibc

exit(Headerd.run())
