import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { backup } from '#kit/server/postgres/backup.ts'
import { restore } from '#kit/server/postgres/restore.ts'
import { atMost, measureGrowth, median, measureMs, type BenchContext, type BenchRow } from './bench.ts'

export const name = 'backup'

const ROWS = 300_000

/**
 * Backup against COPY of the same rows into a plain file, restore against COPY of that file into the same
 * table.
 */
export async function run({ database, folder, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`select set_config('app.owner_id', '*', false)`)
  const dir = folder()
  const plain = join(dir, 'plain')
  const sealed = join(dir, 'sealed')
  const fill = (rows: number) =>
    client.query(
      `
        insert into operation_log (
          owner_id, create_time, operator_id, operator_name, call, title, code, took_ms, input
        )
        select 1, now() - i * interval '1 second', i % 50, '收费员', 'POST /api/Bill/Save', '保存账单', 0, i % 300,
          jsonb_build_object('编号', i)
        from generate_series(1, $1::int) i
      `,
      [rows],
    )
  const copyOut = () =>
    pipeline(client.query(copyTo('copy (select * from operation_log) to stdout')), createWriteStream(plain))
  const backUp = () => measureMs(() => backup(url, sealed))
  await fill(ROWS / 3)
  const small = await median(backUp)
  await fill(ROWS - ROWS / 3)
  log(`${ROWS} 行`)
  const raw = await median(() => measureMs(copyOut))
  const ours = await median(backUp)

  const target = await database()
  const into = new pg.Client(target)
  await into.connect()
  await into.query('alter table operation_log no force row level security')
  const copyIn = async () => {
    await into.query('truncate operation_log')
    return await measureMs(() =>
      pipeline(createReadStream(plain), into.query(copyFrom('copy operation_log from stdin'))),
    )
  }
  const rawIn = await median(copyIn)
  await into.query('truncate operation_log')
  await into.query('alter table operation_log force row level security')
  const oursIn = await median(() => measureMs(() => restore(target, sealed, { force: true })))
  await Promise.all([client.end(), into.end()])
  rmSync(dir, { recursive: true })
  return [
    atMost(3, { label: `备份 ${ROWS} 行`, ours, raw, unit: 'ms' }),
    measureGrowth('备份', { rows: ROWS / 3, ms: small }, { rows: ROWS, ms: ours }),
    atMost(2, { label: `恢复 ${ROWS} 行（含两遍校验）`, ours: oursIn, raw: rawIn, unit: 'ms' }),
  ]
}
