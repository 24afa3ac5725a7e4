import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { hasBuilding, hasPermission, type Caller, type Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import {
  findActiveCaller,
  onAccountLeft,
  refuseReceiver,
  registerOpenWork,
} from '#modules/accounts/server/public.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

interface ReaderPlan {
  readonly projectCode: string
  readonly buildCodes?: readonly string[]
}

const inUse = sql`state = ${code(enabledState, 'on')}`

/** Why somebody cannot read the meters of a plan; undefined where they can. */
function readerRefusal(caller: Caller | undefined, plan: ReaderPlan): string | undefined {
  const right = menu.reading.permissions.add
  if (!caller || !hasPermission(caller, right)) return `没有「${right.label}」权限`
  const { all, projects } = caller.domain
  const covers = plan.buildCodes?.length
    ? plan.buildCodes.every(building => hasBuilding(caller.domain, plan.projectCode, building))
    : all || projects.get(plan.projectCode) === null
  return covers ? undefined : '数据范围不含该计划的楼栋'
}

async function assertReader(tx: Tx, scope: Scope, from: Id, to: Id): Promise<void> {
  const plans = await tx.rows<ReaderPlan>(sql`
    select project_code, build_codes
    from meter_plan
    where owner_id = ${scope.ownerId} and ${notDeleted()} and ${inUse} and ${String(from)} = any(reader_ids)
  `)
  const caller = await findActiveCaller(tx, scope.ownerId, to)
  const refusals = plans.flatMap(plan => readerRefusal(caller, plan) ?? [])
  if (refusals.length) {
    refuseReceiver(caller?.name ?? '', '抄表计划', refusals)
  }
}

// PERM-8: a reader's plans are handed over to another reader.
registerOpenWork({
  what: '抄表计划',
  count: async (tx, scope, operator) =>
    defined(
      await tx.one<{ n: number }>(
        sql`
        select count(*)::int as n
        from meter_plan
        where owner_id = ${scope.ownerId}
          and ${notDeleted()}
          and ${inUse}
          and ${String(operator)} = any(reader_ids)
      `,
      ),
    ).n,
  handOver: async (tx, scope, from, to) => {
    await assertReader(tx, scope, from, to)
    await tx.execute(
      sql`
        update meter_plan
        set reader_ids = (
          select array_agg(distinct x)
          from unnest(array_replace(reader_ids, ${String(from)}, ${String(to)})) x
        ),
          ${touch(scope)}
        where owner_id = ${scope.ownerId}
          and ${notDeleted()}
          and ${inUse}
          and ${String(from)} = any(reader_ids)
      `,
    )
  },
})

// Plans out of use are nobody's work, but would be the leaver's once they are used again.
onAccountLeft((tx, scope, account) =>
  tx.execute(sql`
    update meter_plan
    set reader_ids = array_remove(reader_ids, ${String(account)}), ${touch(scope)}
    where owner_id = ${scope.ownerId} and ${notDeleted()} and ${String(account)} = any(reader_ids)
  `),
)
