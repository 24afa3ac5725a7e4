import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { errorCode, errorMessage } from './database-error.ts'

/** For people, where a disk is too full for what they save. */
export const diskFullMessage = '磁盘空间不足，内容未保存，请联系管理员清理磁盘后重试'

/** The last space is the database's: below this files are refused. A segment of its log has 16 MB. */
const reservedBytes = 64 * 2 ** 20

/** Node's code for a full disk or quota, and the one of PostgreSQL. */
const diskFullCodes = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** A file would take the space that is the database's: for files the disk is full. */
export class DiskFullError extends Error {
  readonly code = 'ENOSPC'
}

/** The write failed because a disk is full, that of the files or of the database. */
export const isDiskFullError = (error: unknown): boolean =>
  diskFullCodes.has(errorCode(error)) || /No space left on device/.test(errorMessage(error))

interface DiskFigures {
  readonly bavail: number
  readonly bsize: number
  readonly blocks: number
}

const fileBytes = ({ bavail, bsize, blocks }: DiskFigures): number =>
  blocks > 0 ? bavail * bsize - reservedBytes : Infinity

/** Whether the file system of a folder has no space for writes; an unreadable one is not called full. */
export function isDiskFull(folder: string): boolean {
  try {
    return fileBytes(statfsSync(folder)) < 0
  } catch {
    return false
  }
}

/**
 * Bytes that files may still take of the folder's disk; less than nothing where the database's own space has
 * been started. Unlimited where it cannot be determined.
 */
export const freeFileBytes = (folder: string): Promise<number> =>
  statfs(folder).then(fileBytes, () => Infinity)

/** Like `isDiskFull`, without blocking. */
export const isDiskFullNow = async (folder: string): Promise<boolean> => (await freeFileBytes(folder)) < 0

/** Refuses what would not fit; nothing of it is written yet. */
export async function assertDiskSpace(folder: string, bytes: number): Promise<void> {
  if (bytes > (await freeFileBytes(folder)))
    throw new DiskFullError(`no space for ${bytes} bytes in ${folder}`)
}
