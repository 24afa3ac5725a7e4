import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup, type BackupSummary } from '#kit/server/postgres/backup.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { runCommand, resolveDataDir, parseArguments } from './command-line.ts'
import { openDatabaseBesideServer } from './database.ts'
import { copyErasures } from './erasures.ts'

const USAGE = 'npm run backup -- 备份文件 [--data ./data]'

await runCommand(async () => {
  const { values, positionals } = parseArguments({ data: { type: 'string' } }, USAGE)
  const [file] = positionals
  if (!file || positionals.length > 1)
    throw new StartupError(`请给出一个备份文件名，例如 npm run backup anju.tar.zst。\n用法：${USAGE}`)
  if (existsSync(file)) throw new StartupError(`文件 ${file} 已存在。请更换文件名，或先移走它。`)
  const dataDir = resolveDataDir(values.data)
  const database = await openDatabaseBesideServer(dataDir, { make: false })
  try {
    const tally = await backup(database.url, file, { filesDir: join(dataDir, 'files') })
    // An older backup of the same folder is restored with the erasures that came after it.
    await copyErasures(database.url, [dataDir, dirname(file)])
    console.log(`已备份到 ${file}（${formatSize(statSync(file).size)}）：${describeTally(tally)}。`)
  } finally {
    await database.close()
  }
})

function describeTally({ tables, rows, files, fileBytes, skipped }: BackupSummary): string {
  const queueNote = skipped.length ? `；后台任务队列（${skipped.join('、')}）不在备份内，恢复后自动重建` : ''
  return `${tables} 张表 ${rows} 行，${files} 个上传文件 ${formatSize(fileBytes)}${queueNote}`
}

function formatSize(bytes: number): string {
  return bytes < 2 ** 20 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 2 ** 20).toFixed(1)} MB`
}
