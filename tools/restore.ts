import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findClusterOwner } from '#kit/server/postgres/cluster.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { restore, verifyBackup } from '#kit/server/postgres/restore.ts'
import { runCommand, resolveDataDir, parseArguments } from './command-line.ts'
import { openDatabaseBesideServer } from './database.ts'
import { copyErasures, erasureLines, repeatErasures } from './erasures.ts'
import { settings } from '#kit/server/settings.ts'

const USAGE = 'npm run restore -- 备份文件 [--data ./data] [--force] [--erasures 另存的 erasures.jsonl]'

await runCommand(async () => {
  const { values, positionals } = parseArguments(
    { data: { type: 'string' }, force: { type: 'boolean' }, erasures: { type: 'string' } },
    USAGE,
  )
  const [file] = positionals
  if (!file || positionals.length > 1) throw new StartupError(`请给出要恢复的备份文件。\n用法：${USAGE}`)
  const { erasures } = values
  if (erasures !== undefined && !existsSync(erasures)) throw new StartupError(`未找到删除记录 ${erasures}。`)
  const dataDir = resolveDataDir(values.data)
  const { about } = await verifyBackup(file)
  const running = !settings.databaseUrl.read() && findClusterOwner(dataDir) !== 0
  mkdirSync(dataDir, { recursive: true })
  const database = await openDatabaseBesideServer(dataDir, { make: true })
  try {
    // What the database that is replaced knows of goes with it otherwise.
    await copyErasures(database.url, [dataDir])
    const tally = await restore(database.url, file, { filesDir: join(dataDir, 'files'), force: values.force })
    console.log(
      `已恢复 ${about.made} 的备份：${tally.tables} 张表 ${tally.rows} 行，${tally.files} 个上传文件，行数与校验全部相符。`,
    )
    const repeated = await repeatErasures({
      url: database.url,
      dataDir,
      backupFile: file,
      ...(erasures === undefined ? {} : { others: [erasures] }),
    })
    for (const line of erasureLines(repeated)) {
      console.log(line)
    }
    if (running || settings.databaseUrl.read()) {
      console.log('如果安居服务正在运行，请现在重启它。')
    }
  } finally {
    await database.close()
  }
})
