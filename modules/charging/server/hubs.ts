import { randomBytes } from 'node:crypto'
import { parseId, type Id } from '#kit/domain/id.ts'
import { refuse, refuseField, type FieldFault } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import type { CrudContext } from '#kit/server/crud-hooks.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { defineImport } from '#kit/server/crud-import.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { reads, writes, type WriteContext } from '#kit/server/handler.ts'
import { createLabelSheet, type QrLabel } from '#kit/server/label-sheet.ts'
import { codes } from '#kit/server/sql.ts'
import { findAll, findPage, insert, requireById } from '#kit/server/table.ts'
import { orderState, type OrderState } from '../contract/choices.ts'
import {
  chargerHub,
  chargerHubs,
  exportHubCodes,
  exportHubs,
  hubCommand,
  importHubs,
  listHubCommands,
  pickHubs,
  resetHubKey,
  sendHubCommand,
  type ChargerHub,
} from '../contract/hub.ts'
import { chargerStandard } from '../contract/standard.ts'
import { paths } from '../module.ts'
import { hashKey } from './ocpp/hub-key.ts'
import { notifyHub } from './ocpp/hub-notice.ts'
import { addPorts, findPorts, portsText, shownState } from './ports.ts'
import { portTokenOf } from './payer-link.ts'

const maxLabels = 200

async function withPorts(
  rows: readonly ChargerHub[],
  { db, scope: { ownerId } }: CrudContext,
): Promise<ChargerHub[]> {
  const ids = rows.map(({ id }) => id)
  const ports = Map.groupBy(await findPorts(db, ownerId, ids), ({ hubId }) => hubId)
  const keys = await db.rows<{ id: Id }>(sql`
    select id
    from charger_hub
    where owner_id = ${ownerId} and id = any(${ids}::bigint[]) and run_key_hash is not null
  `)
  const withKey = new Set(keys.map(({ id }) => id))
  return rows.map(row => {
    const own = (ports.get(row.id) ?? []).filter(({ portNo }) => portNo <= row.portCount)
    return {
      ...row,
      hasKey: withKey.has(row.id),
      ports: own.map(({ portNo, state, errorText, orderNo }) => ({
        portNo,
        state: shownState(state, row.isOnline),
        errorText,
        orderNo,
      })),
      portsText: portsText(own, row.isOnline),
    }
  })
}

async function standardFaults(
  { projectCode, standardId }: Pick<ChargerHub, 'projectCode' | 'standardId'>,
  { tx, scope }: WriteContext,
): Promise<FieldFault[]> {
  if (standardId === undefined) return []
  const [standard] = await findAll(
    tx,
    chargerStandard,
    scope,
    { projectCode },
    { where: [sql`t.id = ${standardId}`], limit: 1 },
  )
  return standard ? [] : [{ Field: 'StandardID', Message: '收费标准不存在或不属于该项目，请重新选择' }]
}

const unfinishedStates: readonly OrderState[] = ['waiting', 'starting', 'charging', 'settling', 'abnormal']

async function assertNoOpenOrders(
  tx: Tx,
  ownerId: Id,
  rows: readonly Pick<ChargerHub, 'id' | 'hubName'>[],
  purpose: '删除' | '停用',
  states: readonly OrderState[],
): Promise<void> {
  const open = await tx.one<{ hubId: Id }>(sql`
    select hub_id
    from charger_order
    where owner_id = ${ownerId}
      and hub_id = any(${rows.map(({ id }) => id)}::bigint[])
      and state in ${codes(orderState, ...states)}
    limit 1
  `)
  const hub = rows.find(({ id }) => id === open?.hubId)
  if (hub) {
    refuse(`「${hub.hubName}」有未完成的充电订单，请在订单完成后${purpose}`)
  }
}

const hubImport = defineImport(chargerHubs, importHubs, {
  load: async (db, { scope, extraInput: { projectCode } }) => {
    const hubs = await findAll(db, chargerHub, scope, { projectCode })
    return {
      existing: new Map(hubs.map(hub => [hub.hubName, hub] as const)),
      standards: await findAll(db, chargerStandard, scope, { projectCode }),
    }
  },
  find: (row, { data }) => data.existing.get(row.hubName ?? ''),
  references: {
    standardId: (name, { standards }) =>
      standards.filter(({ standardName }) => standardName === name).map(({ id }) => id),
  },
})

export const hubServer = crudHandlers(chargerHubs, {
  export: exportHubs,
  import: hubImport,
  codes: { hubNo: 'CDZ' },
  unique: {
    charger_hub_no_live: '该桩号已被其他充电桩使用，请更换',
    charger_hub_name_live: '该项目已有同名的充电桩，请更换',
  },
  refusesChangeOf: ['projectCode'],
  check: standardFaults,
  beforeUpdate: async (draft, { tx, scope }, before) => {
    if (draft.portCount < before.portCount) {
      refuseField('PortCount', `端口数不能减少，应不少于 ${before.portCount}`)
    }
    if (draft.state === 'off' && before.state === 'on') {
      await assertNoOpenOrders(tx, scope.ownerId, [before], '停用', ['starting', 'charging', 'abnormal'])
    }
    return {}
  },
  beforeDelete: (rows, { tx, scope }) =>
    assertNoOpenOrders(tx, scope.ownerId, rows, '删除', unfinishedStates),
  afterInsert: (row, { tx, scope }) => addPorts(tx, scope.ownerId, row),
  afterUpdate: (row, { tx, scope }) => addPorts(tx, scope.ownerId, row),
  afterDelete: async (rows, { tx, scope }) => {
    for (const { id } of rows) {
      await tx.execute(sql`
        update charger_hub set run_key_hash = null where owner_id = ${scope.ownerId} and id = ${id}
      `)
      notifyHub(tx, id, { kind: 'key' })
    }
  },
  enrich: withPorts,
  pickers: [pickHubs],
})

const labelsOf = async (
  hubs: readonly ChargerHub[],
  {
    address,
    db,
    app,
    ownerId,
  }: Pick<CrudContext, 'db'> & {
    readonly address: string
    readonly app: Parameters<typeof portTokenOf>[0]
    readonly ownerId: Id
  },
): Promise<QrLabel[]> => {
  const ports = Map.groupBy(
    await findPorts(
      db,
      ownerId,
      hubs.map(({ id }) => id),
    ),
    ({ hubId }) => hubId,
  )
  const labels: QrLabel[] = []
  for (const hub of hubs) {
    for (const port of (ports.get(hub.id) ?? []).filter(({ portNo }) => portNo <= hub.portCount)) {
      labels.push({
        code: `${address}${paths.port}?t=${await portTokenOf(app, ownerId, port.id)}`,
        kind: hub.state === 'off' ? '扫码充电（已停用）' : '扫码充电',
        title: `${hub.hubName} ${port.portNo} 号`,
        place: hub.location,
        notes: [`桩号 ${hub.hubNo}`],
      })
    }
  }
  return labels
}

/** A hundred bits in letters that are typed into a pile. */
const newKey = (): string => randomBytes(15).toString('base64url').slice(0, 20)

export const hubHandlers = [
  reads(exportHubCodes, async ({ ids, address = '', ...query }, { db, scope, today, app }) => {
    const hubs = await findAll(db, chargerHub, scope, query, {
      filters: chargerHubs.filters,
      where: ids ? [sql`t.id = any(${ids.map(parseId)})`] : [],
      limit: maxLabels,
    })
    const labels = await labelsOf(hubs, { address, db, app, ownerId: scope.ownerId })
    if (!labels.length) return refuse('无符合条件的充电桩，请调整筛选条件')
    if (labels.length > maxLabels) return refuse(`一次最多打印 ${maxLabels} 个端口，请筛选后分次打印`)
    await app.database.tx(scope.ownerId, tx =>
      audit(tx, scope, [
        {
          action: 'export',
          entity: chargerHub.name,
          entityId: 0,
          projectCode: query.projectCode,
          after: { labels: labels.length },
        },
      ]),
    )
    return createLabelSheet(
      { name: `充电桩二维码_${today.replaceAll('-', '')}.pdf`, title: '充电桩二维码' },
      labels,
    )
  }),
  writes(resetHubKey, async ({ id }, { tx, scope }) => {
    const hub = await requireById(tx, chargerHub, scope, id, { lock: true })
    const key = newKey()
    await tx.execute(sql`
      update charger_hub
      set run_key_hash = ${hashKey(key)}
      where owner_id = ${scope.ownerId} and id = ${id}
    `)
    await audit(tx, scope, [
      {
        action: 'update',
        entity: chargerHub.name,
        entityId: id,
        projectCode: hub.projectCode,
        reason: '重置密钥',
      },
    ])
    notifyHub(tx, id, { kind: 'key' })
    const hubNo = hub.hubNo ?? ''
    return { hubNo, path: `/api/ocpp/${scope.ownerId}/${hubNo}`, key }
  }),
  reads(listHubCommands, (query, { db, scope }) =>
    findPage(db, hubCommand, scope, query, { filters: ['hubId', 'kind', 'state', 'sendTime'] }),
  ),
  writes(sendHubCommand, async ({ id, kind, portNo }, { tx, scope, now }) => {
    const hub = await requireById(tx, chargerHub, scope, id)
    if (!hub.isOnline) return refuse(`「${hub.hubName}」离线，请在恢复连接后重试`)
    const isUnlock = kind === 'unlock'
    if (isUnlock && (portNo === undefined || portNo > hub.portCount)) {
      refuseField('PortNo', `请填写端口，1–${hub.portCount}`)
    }
    const command = await insert(tx, hubCommand, scope, {
      projectCode: hub.projectCode,
      hubId: id,
      kind,
      portNo: isUnlock ? portNo : undefined,
      state: 'sent',
      sendTime: now,
      operatorName: scope.name,
    })
    await audit(tx, scope, [
      {
        action: 'update',
        entity: chargerHub.name,
        entityId: id,
        projectCode: hub.projectCode,
        after: { command: kind, portNo },
        reason: '远程控制',
      },
    ])
    notifyHub(tx, id, { kind: 'command', commandId: command.id })
    return { commandId: command.id }
  }),
]
