import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backup, type Tally } from '#kit/server/ground/backup.ts'
import { Obstacle } from '#kit/server/ground/obstacle.ts'
import { command, dataFolder, words } from './console.ts'
import { besideServer } from './database.ts'

const USAGE = 'npm run backup -- 备份文件 [--data ./data]'

await command(async () => {
  const { values, positionals } = words({ data: { type: 'string' } }, USAGE)
  const [file] = positionals
  if (!file || positionals.length > 1)
    throw new Obstacle(`请给出一个备份文件名，例如 npm run backup anju.tar.zst。\n用法：${USAGE}`)
  if (existsSync(file)) throw new Obstacle(`文件 ${file} 已存在。请换一个文件名，或先移走它。`)
  const dataDir = dataFolder(values.data)
  const database = await besideServer(dataDir, { make: false })
  try {
    const tally = await backup(database.url, file, { filesDir: join(dataDir, 'files') })
    console.log(`已备份到 ${file}（${size(statSync(file).size)}）：${inWords(tally)}。`)
  } finally {
    await database.close()
  }
})

function inWords({ tables, rows, files, fileBytes, skipped }: Tally): string {
  const left = skipped.length ? `；后台任务队列（${skipped.join('、')}）不在备份内，恢复后自动重建` : ''
  return `${tables} 张表 ${rows} 行，${files} 个上传文件 ${size(fileBytes)}${left}`
}

function size(bytes: number): string {
  return bytes < 2 ** 20 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 2 ** 20).toFixed(1)} MB`
}
