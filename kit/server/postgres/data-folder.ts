import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode, errorMessage } from '../database-error.ts'
import { StartupError } from './startup-error.ts'

const reasons: Readonly<Record<string, string>> = {
  EACCES: '没有权限',
  EPERM: '没有权限',
  EROFS: '磁盘是只读的',
  ENOSPC: '磁盘已满',
  ENOTDIR: '路径的一部分是文件',
  EEXIST: '路径是一个文件',
  ENOENT: '该位置不能建立文件夹',
}

/**
 * Makes a folder and those above it. Not by Node's `recursive`: where a file system answers that the new
 * folder is missing (/proc, automounts), that one tries for ever.
 */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    // Another process was first.
    if (!existsSync(folder)) throw error
  }
}

/** Makes the folder where it is missing. Answers in words why nothing can be written there. */
export function whyNotWritable(folder: string): string | undefined {
  try {
    makeFolder(folder)
    const probe = join(folder, `.probe-${process.pid}`)
    writeFileSync(probe, '')
    rmSync(probe)
    return undefined
  } catch (error) {
    return reasons[errorCode(error)] ?? errorMessage(error)
  }
}

/** Makes the folder where it is missing; says when nothing can be written there. */
export function assertWritableFolder(folder: string): void {
  const why = whyNotWritable(folder)
  if (why !== undefined)
    throw new StartupError(
      `数据目录 ${folder} 不能写入：${why}。请检查权限和磁盘，或用 --data 指定其他目录。`,
    )
}
