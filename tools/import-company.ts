import { existsSync, mkdirSync } from 'node:fs'
import { importCompany } from '#kit/server/company-data/import.ts'
import { declarationsOf } from '#kit/server/company-data/installed.ts'
import { openFileStorage } from '#kit/server/file-storage.ts'
import { StartupError } from '#kit/server/postgres/startup-error.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { parseArguments, resolveDataDir, runCommand } from './command-line.ts'
import { openDatabaseBesideServer } from './database.ts'
import { adoptErasures, erasureLines } from './erasures.ts'

const USAGE = 'npm run import-company -- --file 文件.zip [--data ./data] [--erasures 原系统的 erasures.jsonl]'

/** Imports a company's export, whole or not at all, into an installation that has no company. */
await runCommand(async () => {
  const { values } = parseArguments(
    { file: { type: 'string' }, data: { type: 'string' }, erasures: { type: 'string' } },
    USAGE,
  )
  const { file, erasures } = values
  if (!file) throw new StartupError(`请给出要导入的文件。\n用法：${USAGE}`)
  if (erasures !== undefined && !existsSync(erasures)) throw new StartupError(`未找到删除记录 ${erasures}。`)
  const dataDir = resolveDataDir(values.data)
  mkdirSync(dataDir, { recursive: true })
  const database = await openDatabaseBesideServer(dataDir, { make: true })
  try {
    const { manifest, notices } = await importCompany({
      ...declarationsOf(await loadInstalledModules()),
      databaseUrl: database.url,
      storage: await openFileStorage(dataDir),
      dataDir,
      file,
      onProgress: note => console.log(note),
    })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(
      `已导入「${manifest.company.name}」（编号 ${manifest.company.id}）：${manifest.tables.length} 个表 ${rows} 行，附件 ${manifest.attachments.count} 个，行数与校验全部相符。`,
    )
    const repeated = await adoptErasures({
      url: database.url,
      dataDir,
      ownerId: manifest.company.id,
      exportFile: file,
      ...(erasures === undefined ? {} : { others: [erasures] }),
    })
    for (const notice of [...notices, ...erasureLines(repeated, '导出')]) {
      console.log(notice)
    }
  } finally {
    await database.close()
  }
})
