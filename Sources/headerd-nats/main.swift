// SPDX-License-Identifier: MIT
import Glibc

exit(HeaderdNats.run())
