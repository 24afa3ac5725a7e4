import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { defined } from '#kit/domain/defined.ts'
import { openDatabase } from '#kit/server/db.ts'
import { hasAnyCompany } from '#kit/server/directory.ts'
import { seedOnce } from '../database.ts'
import { root } from '../source-files.ts'
import type { ClusterState } from './cluster-check.ts'
import { listCompanyPlaces, moveCompany, type MoveSummary } from './move-company.ts'
import { compareTallies, formatNode, parseNode } from './plan.ts'
import { countAll } from './tally.ts'

/** Runs `npm run distribute`, killed as soon as it prints such a line. Returns what it printed. */
async function distributeUntil(adminUrl: string, killAt?: RegExp): Promise<readonly string[]> {
  const child = spawn(process.execPath, [join(root, 'tools/distribute.ts'), '--admin', adminUrl], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (killAt?.test(line)) {
      child.kill('SIGKILL')
      await exited
      return lines
    }
  }
  const [code] = await exited
  if (code !== 0) throw new Error(lines.join('\n'))
  if (killAt) throw new Error(`没有出现要在那里杀掉的一行 ${killAt.source}：\n${lines.join('\n')}`)
  return lines
}

/**
 * Killed while the keys are taken away, in the middle of the tables, and when the last is placed and the keys
 * come back; each time the next run goes on at once. Returns how many rows there are: the same as before.
 */
export async function distributeThroughKills(admin: pg.Client, adminUrl: string): Promise<number> {
  const before = await countAll(admin)
  for (const killAt of [/jit = off/, /^\[3\//, /^\[40\//, /^\[(\d+)\/\1\]/]) {
    await distributeUntil(adminUrl, killAt)
  }
  await distributeUntil(adminUrl)
  const after = await countAll(admin)
  const differences = compareTallies(before, after)
  if (differences.length) throw new Error(differences.join('\n'))
  const { rows } = await admin.query(`select to_regnamespace('distribution_work') is null as removed`)
  if (!rows[0].removed) throw new Error('distribution_work 没有删掉')
  return after.reduce((sum, tally) => sum + Number(tally.rows), 0)
}

/** A company to the other worker while its writes wait, and back while they go on. */
export async function moveAndReturn(
  admin: pg.Client,
  { appRole, workers }: ClusterState,
  company: number,
): Promise<readonly [MoveSummary, MoveSummary]> {
  const place = (await listCompanyPlaces(admin)).find(each => Number(each.company) === company)
  const from = defined(place).node
  const to = defined(workers.find(worker => formatNode(worker) !== from))
  const away = await moveCompany(admin, company, to, { blockWrites: true, appRole })
  const back = await moveCompany(admin, company, parseNode(from), { blockWrites: false, appRole })
  const differences = [...away.differences, ...back.differences]
  if (differences.length) throw new Error(differences.join('\n'))
  return [away, back]
}

/**
 * Companies are here, spread over the nodes: neither a demo nor a set-up begins, not even when the setting is
 * lost without which the scope shows no row of theirs.
 */
export async function refuseSecondBeginning(
  admin: pg.Client,
  url: string,
  { appRole, database }: ClusterState,
): Promise<number> {
  const setting = `alter role "${appRole}" in database "${database}"`
  const lay = async (): Promise<void> => {
    throw new Error('演示数据放进了已有公司的库')
  }
  let asked = 0
  for (const propagation of ['local', 'none']) {
    await admin.query(`${setting} set citus.propagate_set_commands = '${propagation}'`)
    try {
      for (const alone of [true, false]) {
        if (await seedOnce(url, alone, lay)) throw new Error('演示数据放进了已有公司的库')
        asked++
      }
      const own = openDatabase(url, { pool: 1, bulk: 1 })
      try {
        if (!(await hasAnyCompany(own.reader('*')))) throw new Error('初始化以为库是空的')
        asked++
      } finally {
        await own.close()
      }
    } finally {
      await admin.query(`${setting} set citus.propagate_set_commands = 'local'`)
    }
  }
  return asked
}
