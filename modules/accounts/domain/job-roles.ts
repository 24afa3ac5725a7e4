import type { Permission } from '#kit/contract/call.ts'
import type { ModuleManifest } from '#kit/contract/module.ts'
import { addViewPermissions, collectPermissions } from './permission.ts'

/**
 * The role of a job (岗位角色): what every company starts with and may then change. `grants` names menus, or
 * whole modules by `name.*`, with the flags it gives; `*` gives them all. A module that comes in adds its
 * menus here, or nobody but the owner, the auditor and the wildcards gets to it.
 */
export interface JobRole {
  readonly key: string
  readonly name: string
  readonly desc: string
  readonly grants: Readonly<Record<string, string>>
  /** Not offered to a company without this module: the job would have nothing to do. */
  readonly needsModule?: string
}

export const jobRoles = [
  {
    key: 'cashier',
    name: '收费员',
    desc: '收银台收款、收据、退款申请、预存、押金与交账',
    grants: {
      'estates.*': 'view',
      'rooms.room': 'view export',
      'parking.*': 'view export',
      'parking-lanes.stay': 'view',
      'parking-lanes.charge': 'view collect export',
      'parking-booth.*': 'view duty confirm export',
      'month-cards.order': 'view renew cancel refund export',
      'residents.resident': 'view export',
      'residents.link': 'view',
      'companies.company': 'view',
      'merchants.merchant': 'view',
      'fees.*': 'view',
      'fees.relation': 'view export',
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
    desc: '住户入住、迁出、来访接待与工单登记',
    grants: {
      'estates.*': 'view',
      'rooms.room': 'view edit state',
      'parking.*': 'view edit state',
      'parking.car': '*',
      'parking.carGroup': '*',
      'parking-lanes.stay': 'view correct export',
      'parking-lanes.charge': 'view',
      'month-cards.order': 'view renew cancel export',
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
      'visitors.invitation': 'view add edit audit link export',
      'visitors.visit': 'view export',
      // Who issues the card passes the link as well.
      'access.passCode': 'view link',
      'purchases.request': 'view add del',
      // People who are trapped call them.
      'elevators.alarm': 'view',
    },
  },
  {
    key: 'engineer',
    name: '工程',
    desc: '工单处理、抄表、设备与公共区域',
    grants: {
      'estates.estate': 'view',
      'estates.building': 'view',
      'estates.area': 'view add edit',
      'rooms.room': 'view',
      'files.file': 'view download',
      'devices.gateway': 'view',
      'devices.device': 'view edit resend fault',
      'access.doorway': 'view device',
      'access.sync': 'view resend',
      'elevators.elevator': 'view device state',
      'elevators.maintenance': 'view add',
      'elevators.setting': 'view',
      'elevators.record': 'view',
      'elevators.remote': 'view send',
      'elevators.alarm': 'view handle',
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
      'purchases.request': 'view add del',
    },
  },
  {
    key: 'security',
    name: '秩序维护',
    desc: '车场与车位、出入查询、工单登记与处理',
    needsModule: 'parking',
    grants: {
      'estates.*': 'view',
      'rooms.room': 'view',
      'parking.*': 'view',
      'parking.place': 'view state',
      'parking.car': 'view add edit black export',
      'parking-lanes.stay': 'view pass correct release clear count export',
      'parking-lanes.charge': 'view collect',
      'parking-lanes.feeRule': 'view',
      'parking-lanes.lane': 'view',
      'parking-booth.*': 'view open duty confirm',
      'month-cards.order': 'view',
      'residents.resident': 'view',
      'companies.company': 'view',
      'merchants.merchant': 'view',
      'devices.device': 'view',
      'access.doorway': 'view reach',
      'access.group': 'view',
      'access.publicTime': 'view',
      'access.vip': 'view',
      'access.sync': 'view',
      'elevators.elevator': 'view',
      'elevators.right': 'view reach',
      'elevators.record': 'view',
      'elevators.remote': 'view send',
      'elevators.alarm': 'view handle',
      'visitors.invitation': 'view add audit',
      'visitors.visit': 'view add edit check',
      'visitors.block': 'view add',
      'patrol.plan': 'view',
      'patrol.task': 'view walk',
      'patrol.point': 'view',
      'patrol.road': 'view',
      'planned-work.plan': 'view execute',
      'planned-work.overview': 'view',
      'work-orders.order': 'view add handle follow',
    },
  },
  {
    key: 'environment',
    name: '环境',
    desc: '绿化与保洁：区域、点位、模板、计划与检查',
    needsModule: 'cleaning',
    grants: {
      'estates.*': 'view',
      'landscaping.*': '*',
      'cleaning.*': '*',
      'planned-work.plan': 'view execute',
      'planned-work.overview': 'view',
      'work-orders.order': 'view add handle follow',
    },
  },
  {
    key: 'finance',
    name: '财务主管',
    desc: '收费设置、账单、退款审核、日结、发票、对账与财务报表',
    grants: {
      'estates.*': 'view',
      'rooms.*': 'view export',
      'parking.*': 'view export',
      'parking-lanes.*': 'view export',
      'parking-lanes.feeRule': '*',
      'parking-booth.*': 'view confirm export',
      'month-cards.*': '*',
      'residents.resident': 'view export',
      'residents.link': 'view',
      'companies.*': 'view export',
      'merchants.*': 'view export',
      'fees.*': '*',
      'meters.*': 'view export',
      'bills.*': '*',
      'payments.*': '*',
      'prestore.*': '*',
      'deposits.*': '*',
      'invoices.*': '*',
      'reconcile.*': '*',
      'fee-reports.*': '*',
      'work-orders.order': 'view export',
      'work-orders.charge': '*',
      'attendance.record': 'view close export',
      'attendance.log': 'view export',
      'attendance.apply': 'view',
      'purchases.request': 'view add del',
      'purchases.purchase': 'view decide export',
      'purchases.order': 'view export',
      'purchases.receipt': 'view export',
      'purchases.supplier': 'view export',
      'accounts.print': '*',
      'accounts.log': 'view export',
    },
  },
  {
    key: 'manager',
    name: '项目经理',
    desc: '所管项目的全部业务，查看操作日志',
    grants: {
      'estates.*': '*',
      'rooms.*': '*',
      'parking.*': '*',
      'parking-lanes.*': '*',
      'parking-booth.*': '*',
      'month-cards.*': '*',
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
      'access.*': '*',
      'elevators.*': '*',
      'visitors.*': '*',
      'room-inspection.*': '*',
      'landscaping.*': '*',
      'cleaning.*': '*',
      'planned-work.*': '*',
      'attendance.*': '*',
      'purchases.*': '*',
      'patrol.*': '*',
      'portal.*': '*',
    },
  },
  {
    key: 'auditor',
    name: '只读审计',
    desc: '查看和导出所有数据，不能修改',
    // They also look up who may go where.
    grants: { '*': 'view export', 'elevators.right': 'reach', 'access.doorway': 'reach' },
  },
] as const satisfies readonly JobRole[]

export type JobRoleKey = (typeof jobRoles)[number]['key']

const isGranted = ({ grants }: JobRole, { flag, menu, module }: Permission): boolean =>
  Object.entries(grants).some(
    ([place, flags]) =>
      (place === '*' || place === menu || place === `${module}.*`) &&
      (flags === '*' || flags.split(' ').includes(flag)),
  )

/** The permissions of a job's role, every one known to the installed modules. */
export function grantsOf(role: JobRole, manifests: readonly ModuleManifest[]): string[] {
  const known = collectPermissions(manifests)
  return addViewPermissions(
    [...known.values()].filter(permission => isGranted(role, permission)).map(permission => permission.key),
    known,
  )
}

/** The roles of jobs that these modules have work for. */
export const offeredJobRoles = (manifests: readonly ModuleManifest[]): readonly JobRole[] =>
  (jobRoles as readonly JobRole[]).filter(
    ({ needsModule }) =>
      needsModule === undefined || manifests.some(manifest => manifest.name === needsModule),
  )
