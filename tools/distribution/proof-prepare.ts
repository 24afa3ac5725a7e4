import pg from 'pg'
import { defined } from '#kit/domain/defined.ts'
import { migrate } from '#kit/server/postgres/migrate.ts'
import { seedGolden } from '../../db/golden/golden-data.ts'
import { checkCluster, settleRole } from './cluster-check.ts'
import { listCompanyPlaces, moveCompany } from './move-company.ts'
import { formatNode } from './plan.ts'
import { spreadCompanies } from './spread.ts'

/** Prints what a step found and how long it took; a step that throws ends the proof. */
export async function step<T>(
  title: string,
  work: () => Promise<T>,
  describe: (found: T) => string,
): Promise<T> {
  const started = Date.now()
  const found = await work()
  console.log(`✓ ${title}：${describe(found)}（${((Date.now() - started) / 1000).toFixed(1)} 秒）`)
  return found
}

export function require(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}

/** Golden data, spread, its two companies on two workers. */
export async function prepare(admin: pg.Client, url: string): Promise<void> {
  await step(
    '迁移与两家公司的数据',
    async () => {
      await migrate(url)
      const { rows } = await admin.query('select from directory limit 1')
      if (!rows.length) {
        await seedGolden(url)
      }
    },
    () => '完成',
  )
  const cluster = await checkCluster(admin)
  await settleRole(admin, cluster)
  await step(
    '分布',
    () => spreadCompanies(admin, cluster, () => {}),
    done => `${done.tables} 张表 ${done.rows} 行，行数与金额前后相符`,
  )
  await step(
    '再分布一次',
    () => spreadCompanies(admin, cluster, () => {}),
    done => `${done.moved} 张表有改动`,
  )
  await step(
    '两家公司在两个工作节点',
    async () => {
      const places = await listCompanyPlaces(admin)
      const [first, second] = places
      if (first?.node === second?.node) {
        const other = defined(cluster.workers.find(worker => formatNode(worker) !== first?.node))
        const move = await moveCompany(admin, Number(second?.company), other, { blockWrites: false })
        require(!move.differences.length, move.differences.join('\n'))
      }
      return listCompanyPlaces(admin)
    },
    places => places.map(place => `公司 ${place.company} 在 ${place.node}`).join('，'),
  )
}
