import { afterAll, beforeAll, expect, it } from 'vitest'
import pg from 'pg'
import { columnOf, storedKeys } from '#kit/contract/entity.ts'
import { declaredTables } from '#kit/server/company-data/export.ts'
import { declarationsOf } from '#kit/server/company-data/installed.ts'
import { readCompanyTables } from '#kit/server/company-data/catalogue.ts'
import { openTestDatabase, type TestDatabase } from '#kit/server/fixtures/test-database.ts'
import { anyone } from '#kit/server/personal-data/declaration.ts'
import {
  declaredPersonalTables,
  erasureBlockers,
  isSecretColumn,
  isTransient,
  notPersonalColumns,
  personalTables,
  personKinds,
  registerPersonalData,
  retentionRules,
} from '#kit/server/personal-data/registry.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'

const installed = await loadInstalledModules()
const entities = installed.flatMap(m => m.contract.entities)
let testDatabase: TestDatabase
/** Every column of a company's table with its type, as `table.column`. */
let columns: Map<string, string>
/** Those too that follow from others. */
let allColumns: Set<string>

beforeAll(async () => {
  testDatabase = await openTestDatabase({ from: 'migrated' })
  const client = new pg.Client(testDatabase.url)
  await client.connect()
  columns = new Map(
    (await readCompanyTables(client)).flatMap(table =>
      table.columns.map(({ name, type }) => [`${table.name}.${name}`, type] as const),
    ),
  )
  const { rows } = await client.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  )
  allColumns = new Set(rows.map(row => row.name))
  await client.end()
})

afterAll(() => testDatabase?.drop())

/** What is called so holds something of a person, or may: a name, a way to reach one, a face, a free text. */
const personalName =
  /(^|_)(mobile|phone\d?|tel|email|mail|address|wechat|open_id|cert_no|id_card|birthday|nation|education|work_unit|photo|photos|face|head|head_image|signature|template|fingerprint|plate|ip|agent|contact_name|legal_person|(real|user|payer|owner|person|reporter|evaluator|visitor|operator|cashier|handler|registrar|dispatcher|apply|audit|confirm|close|open|reply|sharer|uploader|applicant|emergency|display|from|to|buyer)_name|remark|reason|content|body|note|reply|before|after|input|run_input|output|message|old_value|new_value|detail|answer)$/
const textType = /^(text|text\[\]|jsonb?|bytea)$/

const declaredColumns = (): Set<string> =>
  new Set([
    ...personalTables().flatMap(([name, table]) =>
      Object.keys(table.columns).map(column => `${name}.${column}`),
    ),
    ...notPersonalColumns(),
  ])

const isOfTransient = (column: string): boolean => {
  const table = declaredPersonalTables().get(column.slice(0, column.indexOf('.')))
  return table !== undefined && isTransient(table)
}

it('every field that is masked as a telephone or a document is declared by its module', () => {
  const declared = declaredColumns()
  const masked = entities.flatMap(entity =>
    storedKeys(entity).flatMap(key => {
      const kind = entity.fields[key]?.masked
      return kind === 'mobile' || kind === 'idCard' ? [`${entity.table}.${columnOf(key)}`] : []
    }),
  )
  expect(masked.length).toBeGreaterThan(15)
  expect(masked.filter(column => columns.has(column) && !declared.has(column))).toEqual([])
})

it('every column that is called like personal data is declared, or named as holding none', () => {
  const declared = declaredColumns()
  const undeclared = [...columns].filter(
    ([column, type]) =>
      textType.test(type) &&
      personalName.test(column.slice(column.indexOf('.') + 1)) &&
      !declared.has(column) &&
      !isOfTransient(column),
  )
  expect(undeclared.map(([column]) => column)).toEqual([])
})

it('every field that holds files, a plate or a document is declared, or named as holding none', () => {
  const declared = declaredColumns()
  const holding = entities.flatMap(entity =>
    storedKeys(entity).flatMap(key => {
      const field = entity.fields[key]
      const isFile = field?.kind === 'file' || field?.holdsFiles === true
      return isFile || /^(plate|cert|card|licence|idCard)No$/i.test(key)
        ? [`${entity.table}.${columnOf(key)}`]
        : []
    }),
  )
  expect(holding.length).toBeGreaterThan(40)
  expect(
    holding.filter(column => columns.has(column) && !declared.has(column) && !isOfTransient(column)),
  ).toEqual([])
})

/** Who acted answers for it, and a setting that names who is in charge is changed: neither is about them. */
const onlyActing = new Set([
  'api_key.creator_id',
  'call_seat.manager_id',
  'cashier_handover.cashier_id',
  'cleaning_location.staff_id',
  'department.leader_id',
  'elevator_maintenance.confirm_staff_id',
  'fc_summary.cashier_id',
  'file_info.uploader_id',
  'green_area.manager_id',
  'inspection_check.inspector_id',
  'park_shift.off_staff_id',
  'patrol_device.staff_id',
  'remote_task.operator_id',
  'task_center.operator_id',
  'webhook_endpoint.creator_id',
  'work_order_evaluation.handler_id',
  'work_order_notify.manager_id',
])

it('every table with rows of a person names those that are the person’s own, and what is done with them', () => {
  const kinds = new Set(personKinds().map(kind => kind.entity))
  const known = new Map(personalTables())
  const referring = entities.flatMap(entity =>
    storedKeys(entity).flatMap(key => {
      const field = entity.fields[key]
      const to = field?.kind === 'ref' ? field.target : undefined
      const { people, beside } = known.get(entity.table) ?? {}
      const column = `${entity.table}.${columnOf(key)}`
      return to !== undefined && kinds.has(to) && !people && !beside && !onlyActing.has(column)
        ? [column]
        : []
    }),
  )
  expect(referring).toEqual([])
})

/** What a field is called on the screen where it holds something of a person. */
const personalLabel =
  /姓名|访客|被访人|维保人员|卡号|手机|电话|联系人|证件|身份证|护照|车牌|邮箱|住址|通讯地址|人脸|指纹|照片|签名|签字|头像|微信|备注|说明|原因|事由|意见|内容|收费对象|缴费人|经办|收款人/

it('every field that is called like personal data on the screen is declared, or named as holding none', () => {
  const declared = declaredColumns()
  const labelled = entities.flatMap(entity =>
    storedKeys(entity).flatMap(key => {
      const column = `${entity.table}.${columnOf(key)}`
      const label = entity.fields[key]?.label ?? ''
      return personalLabel.test(label) && textType.test(columns.get(column) ?? '') ? [column] : []
    }),
  )
  expect(labelled.length).toBeGreaterThan(100)
  expect(labelled.filter(column => !declared.has(column) && !isOfTransient(column))).toEqual([])
})

it('every role that keeps something says why: the law, or that who acted answers for it', () => {
  const keeping = personalTables().flatMap(([name, { columns: roles, ground }]) =>
    Object.values(roles).includes('keptName') && ground !== 'law' ? [name] : [],
  )
  expect(keeping).toEqual([])
})

it('what is declared exists, once, and everything that it names does', () => {
  const stored = [...columns.keys()]
  const tables = new Set(stored.map(column => column.slice(0, column.indexOf('.'))))
  expect([...declaredColumns()].filter(column => !columns.has(column))).toEqual([])
  expect([...declaredPersonalTables().keys()].filter(name => !tables.has(name))).toEqual([])
  const kinds = new Set(personKinds().map(kind => kind.entity))
  const rules = new Set(retentionRules().map(rule => rule.key))
  expect(rules.size).toBe(retentionRules().length)
  for (const [name, table] of personalTables()) {
    expect(
      [table.people ?? {}, ...Object.values(table.beside ?? {})]
        .flatMap(byKind => Object.keys(byKind))
        .filter(kind => kind !== anyone && !kinds.has(kind)),
      name,
    ).toEqual([])
    expect(table.retention === undefined || rules.has(table.retention), name).toBe(true)
    const named = [
      ...(table.ownBy ?? []),
      ...Object.values(table.searchText ?? {}).flat(),
      ...Object.keys(table.beside ?? {}),
      ...(table.ownWith ? [table.ownWith[1]] : []),
    ]
    expect(
      named.filter(column => !columns.has(`${name}.${column}`)),
      name,
    ).toEqual([])
  }
  expect(
    erasureBlockers().flatMap(({ found }) =>
      Object.keys(found).filter(kind => kind !== anyone && !kinds.has(kind)),
    ),
  ).toEqual([])
  for (const { key, steps, initial, min, max } of retentionRules()) {
    expect(min <= initial && initial <= max, key).toBe(true)
    for (const { table, clears } of steps) {
      const declared = personalTables().find(([name]) => name === table)?.[1]
      expect(declared, `${key}: ${table}`).toBeDefined()
      expect(
        (clears ?? []).filter(column => !(column in (declared?.columns ?? {}))),
        key,
      ).toEqual([])
    }
  }
})

it('what a person is given exists and has a heading, and no secret is in it', () => {
  const exportedColumns = personalTables().flatMap(([name, { exported = [] }]) =>
    exported.map(each =>
      typeof each === 'string'
        ? { table: name, column: each, heading: undefined }
        : { table: each.table, column: each.column, heading: each.heading },
    ),
  )
  expect(exportedColumns.length).toBeGreaterThan(100)
  const nameOf = ({ table, column }: { table: string; column: string }): string => `${table}.${column}`
  expect(exportedColumns.map(nameOf).filter(name => !allColumns.has(name))).toEqual([])
  expect(exportedColumns.filter(({ column }) => isSecretColumn(column)).map(nameOf)).toEqual([])
  const tables = declaredTables(declarationsOf(installed))
  const byTable = new Map(entities.map(entity => [entity.table, entity]))
  const refused = exportedColumns.filter(({ table, column, heading }) => {
    const declaration = tables[table]
    const own = declaration?.columns?.[column]
    const entity = byTable.get(table)
    const key = entity && storedKeys(entity).find(each => columnOf(each) === column)
    const field = key === undefined ? undefined : entity?.fields[key]
    const isOmitted = declaration?.omitted !== undefined || typeof own === 'object'
    return isOmitted || field?.masked === 'secret' || (own ?? field?.label ?? heading) === undefined
  })
  expect(refused.map(nameOf)).toEqual([])
})

it('secrets of an account are given to nobody: their names are refused as they are declared', () => {
  const secrets = [
    'password',
    'totp',
    'recovery',
    'wechat_open_id',
    'key_hash',
    'token',
    'run_secret',
    'template',
  ]
  expect(secrets.filter(column => !isSecretColumn(column))).toEqual([])
  for (const column of secrets) {
    expect(() =>
      registerPersonalData({
        tables: {
          manager_secret: { purpose: '登录', ground: 'employment', columns: {}, exported: [column] },
        },
      }),
    ).toThrow(column)
  }
})
