import pg from 'pg'
import { defined } from '#kit/domain/defined.ts'
import { migrate } from '#kit/server/postgres/migrate.ts'
import { seedGolden } from '#db/golden/golden-data.ts'
import { checkCluster } from './cluster-check.ts'
import { listCompanyPlaces, moveCompany } from './move-company.ts'
import { distributeThroughKills, moveAndReturn, refuseSecondBeginning } from './proof-distribute.ts'
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
export async function prepare(admin: pg.Client, adminUrl: string, url: string): Promise<void> {
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
  await step(
    '分布，四处被杀（kill -9）再继续',
    () => distributeThroughKills(admin, adminUrl),
    rows => `${rows} 行，行数与金额前后相符`,
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
        const move = await moveCompany(admin, Number(second?.company), other, {
          blockWrites: false,
          appRole: cluster.appRole,
        })
        require(!move.differences.length, move.differences.join('\n'))
      }
      return listCompanyPlaces(admin)
    },
    places => places.map(place => `公司 ${place.company} 在 ${place.node}`).join('，'),
  )
  const [, second] = await listCompanyPlaces(admin)
  await step(
    '停写搬一家公司，再在线搬回',
    () => moveAndReturn(admin, cluster, Number(second?.company)),
    ([away, back]) => `${away.rows} 行，去 ${away.seconds.toFixed(1)} 秒，回 ${back.seconds.toFixed(1)} 秒`,
  )
  await step(
    '已有公司：演示与初始化都不开始',
    () => refuseSecondBeginning(admin, url, cluster),
    asked => `${asked} 次都没有，范围不传到节点时也没有`,
  )
}
