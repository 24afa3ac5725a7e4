/** What Windows reads as a device, whatever its extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/**
 * Why a file cannot have this name on a site's computer, of whatever system, though the cloud files allow it
 * (FILE-2); nothing where it can.
 */
export const pushedNameFault = (name: string): string | undefined =>
  /^\.|[. ]$/.test(name) || reserved.test(name)
    ? `文件名「${name}」不能用于现场计算机（Windows 保留名，或以点、空格开头或结尾），请更换文件名`
    : undefined
