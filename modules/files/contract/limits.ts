/** FILE-1: bytes of a project, its recycle bin included. */
export const quotaBytes = 5_368_709_120
/** FILE-8 */
export const maxImageBytes = 2_048 * 1024
/** FILE-2 */
export const maxNameLength = 100
export const maxDepth = 20
/** FILE-4, FILE-5 */
export const binDays = 10
/** FILE-7 */
export const maxLabels = 10
export const maxLabelLength = 20
/** FILE-6 */
export const defaultShareDays = 7
