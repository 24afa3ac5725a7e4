import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { errorCode, errorMessage } from './database-error.ts'

/** For people, where a disk is too full for what they save. */
export const diskFullMessage = '磁盘空间不足，内容未保存，请联系管理员清理磁盘后重试'

/** The last space is the database's: below this files are refused. A segment of its log has 16 MB. */
const reservedBytes = 64 * 2 ** 20

/** Node's code for a full disk or quota, and the one of PostgreSQL. */
const diskFullCodes = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** The write failed because a disk is full, ours or the database's. */
export const isDiskFullError = (error: unknown): boolean =>
  diskFullCodes.has(errorCode(error)) || /No space left on device/.test(errorMessage(error))

const isFull = ({ bavail, bsize, blocks }: { bavail: number; bsize: number; blocks: number }): boolean =>
  blocks > 0 && bavail * bsize < reservedBytes

/** Whether the file system of a folder has no space for writes; an unreadable one is not called full. */
export function isDiskFull(folder: string): boolean {
  try {
    return isFull(statfsSync(folder))
  } catch {
    return false
  }
}

/** The same without blocking. */
export const isDiskFullNow = (folder: string): Promise<boolean> => statfs(folder).then(isFull, () => false)
