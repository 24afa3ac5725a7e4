import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import type { ModuleManifest } from '#kit/contract/module.ts'
import { codeOf } from '#kit/contract/field.ts'
import { managerType } from '#modules/accounts/contract/manager.ts'
import {
  collectPermissions,
  addViewPermissions,
  resolveEffectivePermissions,
  type ManagerType,
} from '#modules/accounts/domain/permission.ts'
import { sql, type Database } from '#kit/server/db.ts'
import { registerLogin } from '#modules/accounts/server/public.ts'
import { code } from '#kit/server/sql.ts'

/**
 * A role of the demo with the one who has it. `grants` names menus, or whole modules by `name.*`, with the
 * flags it gives; `*` gives them all.
 */
export interface DemoRole {
  readonly key: string
  readonly name: string
  readonly desc: string
  readonly person: string
  readonly type: ManagerType
  readonly privacy: boolean
  readonly grants: Readonly<Record<string, string>>
}

/**
 * The roles every estate knows. A module that comes in adds its menus here, or nobody but the owner, the
 * auditor and the wildcards gets to it.
 */
export const demoRoles: readonly DemoRole[] = [
  {
    key: 'cashier',
    name: '收费员',
    desc: '查看房间、车位与住户，导出名单',
    person: '收费员甲',
    type: 'ordinary',
    privacy: true,
    grants: {
      'estates.*': 'view',
      'rooms.room': 'view export',
      'parking.*': 'view export',
      'residents.resident': 'view export',
      'residents.link': 'view',
      'companies.company': 'view',
      'merchants.merchant': 'view',
      'fees.*': 'view',
      'fees.relation': 'view add edit stop batch export',
      'meters.*': 'view',
      'bills.bill': 'view audit temporary prepay discount lateFee split payer export print',
      'bills.notice': 'view urge letter',
      'payments.cashier': 'view pay discount roundOff other',
      'payments.record': 'view print void export',
      'payments.refund': 'view apply cancel',
      'payments.handover': 'view',
      'deposits.deposit': 'view add receive refund export',
      'prestore.account': 'view topUp refund deduct export',
      'invoices.invoice': 'view open export',
      'fee-reports.*': 'view export',
      'work-orders.order': 'view',
      'work-orders.charge': 'view pay',
    },
  },
  {
    key: 'service',
    name: '客服',
    desc: '住户入住、迁出与来访接待',
    person: '客服甲',
    type: 'ordinary',
    privacy: true,
    grants: {
      'estates.*': 'view',
      'rooms.room': 'view edit state',
      'parking.*': 'view edit state',
      'residents.*': '*',
      'companies.*': '*',
      'merchants.*': '*',
      'files.file': 'view add edit del download share',
      'staff.*': 'view',
      'system.suggest': 'view edit',
      'work-orders.order': 'view add edit audit dispatch check close follow export',
      'work-orders.charge': 'view pay',
      'work-orders.evaluation': 'view add visit',
      'work-orders.statistics': 'view',
      'room-inspection.standard': 'view',
      'room-inspection.sheet': 'view add edit export',
    },
  },
  {
    key: 'engineer',
    name: '工程',
    desc: '所管楼栋的房间与公共区域',
    person: '工程甲',
    type: 'ordinary',
    privacy: false,
    grants: {
      'estates.estate': 'view',
      'estates.building': 'view',
      'estates.area': 'view add edit',
      'rooms.room': 'view',
      'files.file': 'view download',
      'devices.gateway': 'view',
      'devices.device': 'view edit resend fault',
      'devices.model': 'view',
      'devices.watchdog': 'view',
      'devices.command': 'view send listProcesses listServices listDirectory restartService device',
      'meters.meter': 'view add edit label replace',
      'meters.plan': 'view',
      'meters.reading': 'view add edit import export confirm phone',
      'work-orders.order': 'view handle follow',
      'room-inspection.sheet': 'view inspect',
      'work-orders.charge': 'view cost',
      'work-orders.material': 'view',
    },
  },
  {
    key: 'manager',
    name: '项目经理',
    desc: '所管项目的全部业务，查看操作日志',
    person: '项目经理甲',
    type: 'ordinary',
    privacy: true,
    grants: {
      'estates.*': '*',
      'rooms.*': '*',
      'parking.*': '*',
      'residents.*': '*',
      'companies.*': '*',
      'merchants.*': '*',
      'fees.*': '*',
      'meters.*': '*',
      'files.*': '*',
      'devices.gateway': 'view add edit',
      'devices.device': '*',
      'devices.model': 'view',
      'devices.watchdog': '*',
      'devices.command': 'view send listProcesses listServices listDirectory restartService pushFile device',
      'staff.*': '*',
      'accounts.log': 'view',
      'system.*': '*',
      'bills.*': '*',
      'payments.*': '*',
      'prestore.*': '*',
      'deposits.*': '*',
      'invoices.*': '*',
      'fee-reports.*': '*',
      'work-orders.*': '*',
      'room-inspection.*': '*',
    },
  },
  {
    key: 'auditor',
    name: '只读审计',
    desc: '查看和导出所有数据，不能修改',
    person: '审计甲',
    type: 'auditor',
    privacy: false,
    grants: { '*': 'view export' },
  },
]

/** The rights a demo role is written with, every one known to the installed modules. */
export function grantsOf(r: DemoRole, manifests: readonly ModuleManifest[]): string[] {
  const known = collectPermissions(manifests)
  return addViewPermissions(
    [...known.values()]
      .filter(p =>
        Object.entries(r.grants).some(
          ([at, flags]) =>
            (at === '*' || at === p.menu || at === `${p.module}.*`) &&
            (flags === '*' || flags.split(' ').includes(p.flag)),
        ),
      )
      .map(p => p.key),
    known,
  )
}

/** What its holder may do in the end (PERM-1, PERM-2). */
export const permissionsOf = (r: DemoRole, manifests: readonly ModuleManifest[]): Set<string> =>
  resolveEffectivePermissions(
    r.type,
    [{ everything: false, permissions: grantsOf(r, manifests) }],
    collectPermissions(manifests),
  )

export interface AssignDomain {
  readonly [project: string]: readonly string[] | null
}

/**
 * Makes the demo roles of a company with a holder each, who signs in with the owner's password. A holder
 * without a data domain has all projects.
 */
export async function seedRoles(
  database: Database,
  ownerId: Id,
  manifests: readonly ModuleManifest[],
  login: (r: DemoRole) => string,
  reach: Readonly<Record<string, AssignDomain>>,
): Promise<void> {
  await database.tx(ownerId, async tx => {
    for (const r of demoRoles) {
      const places = reach[r.key]
      const role = defined(
        await tx.one<{ id: Id }>(
          sql`
          insert into role (owner_id, role_name, role_desc, permissions)
          values (${ownerId}, ${r.name}, ${r.desc}, ${grantsOf(r, manifests)}::text[])
          returning id
        `,
        ),
      )
      const m = defined(
        await tx.one<{
          id: Id
        }>(sql`
        insert into manager (
          owner_id, login_code, real_name, manager_type, role_ids, all_project, show_privacy, state
        )
        values (
          ${ownerId}, ${login(r)}, ${r.person}, ${codeOf(managerType, r.type)}, array[${String(role.id)}],
          ${!places}, ${r.privacy}, 10
        )
        returning id
      `),
      )
      await registerLogin(tx, login(r), { ownerId, refId: m.id })
      await tx.execute(
        sql`
          insert into manager_secret (owner_id, manager_id, password)
          select ${ownerId}::bigint, ${m.id}::bigint, s.password
          from manager_secret s
          join manager o on o.owner_id = ${ownerId} and o.id = s.manager_id
          where s.owner_id = ${ownerId} and o.manager_type = ${code(managerType, 'owner')}
          returning manager_id
        `,
      )
      for (const [project, buildings] of Object.entries(places ?? {})) {
        await tx.execute(
          sql`
            insert into manager_data_domain (owner_id, manager_id, project_code, build_codes)
            values (${ownerId}, ${m.id}, ${project}, ${buildings && [...buildings]}::text[])
          `,
        )
      }
    }
  })
}
