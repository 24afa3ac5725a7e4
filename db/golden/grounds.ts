import { randomBytes } from 'node:crypto'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { insertAll } from '#kit/server/table.ts'
import { cleaningLocation } from '#modules/cleaning/contract/location.ts'
import { cleaningTemplate } from '#modules/cleaning/contract/template.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { greenArea } from '#modules/landscaping/contract/green-area.ts'
import { plant, type Plant } from '#modules/landscaping/contract/plant.ts'
import { greenTemplate } from '#modules/landscaping/contract/template.ts'

type PlannedPlant = Pick<Plant, 'plantName' | 'plantType' | 'unit'> & { readonly careNotes: string }

const plants: readonly PlannedPlant[] = [
  { plantName: '香樟', plantType: 'tree', unit: '株', careNotes: '每年 3 月修剪枯枝，7 月防治樟巢螟。' },
  { plantName: '桂花', plantType: 'tree', unit: '株', careNotes: '花后修剪，冬季施一次有机肥。' },
  { plantName: '红叶石楠', plantType: 'shrub', unit: '㎡', careNotes: '生长期每月修剪一次，保持绿篱平整。' },
  { plantName: '金边黄杨', plantType: 'shrub', unit: '㎡', careNotes: '春秋两季修剪，注意白粉病。' },
  {
    plantName: '马尼拉草坪',
    plantType: 'lawn',
    unit: '㎡',
    careNotes: '高度保持 5 至 8 厘米，旱季每周浇水两次。',
  },
  { plantName: '矮牵牛', plantType: 'flower', unit: '盆', careNotes: '节前更换，残花及时摘除。' },
]

/** Areas of a project: name, size, where, and how many of which plants. */
const areas = [
  ['中心花园', '1860', '园区中央', { 香樟: '24', 桂花: '18', 红叶石楠: '320', 马尼拉草坪: '1200' }],
  ['南大门绿地', '420', '南大门两侧', { 桂花: '6', 金边黄杨: '90', 矮牵牛: '240' }],
  ['宅间绿地', '2350', '各楼栋之间', { 香樟: '36', 金边黄杨: '280', 马尼拉草坪: '1650' }],
] as const

const item = (name: string, weight: number, flags: { needsPhoto?: true; raisesOrder?: true } = {}) => ({
  name,
  weight,
  needsPhoto: flags.needsPhoto ?? false,
  raisesOrder: flags.raisesOrder ?? false,
})

const greenTemplates = [
  {
    templateName: '日常养护',
    items: [
      item('浇水到位，无旱情', 3),
      item('修剪整齐，无枯枝', 3),
      item('无明显病虫害', 2, { needsPhoto: true, raisesOrder: true }),
      item('绿地内无垃圾杂物', 2),
    ],
  },
  {
    templateName: '月度养护检查',
    items: [
      item('乔木支撑牢固', 2, { raisesOrder: true }),
      item('绿篱平整', 2),
      item('草坪无斑秃', 3, { needsPhoto: true }),
      item('施肥记录完整', 1),
      item('浇灌设施完好', 2, { raisesOrder: true }),
    ],
  },
]

const cleaningTemplates = [
  {
    templateName: '大堂与电梯厅',
    items: [
      item('地面无污渍、积水', 3, { needsPhoto: true }),
      item('墙面、玻璃洁净', 2),
      item('垃圾桶已清理', 2),
      item('灯具、设施完好', 3, { raisesOrder: true }),
    ],
  },
  {
    templateName: '楼道',
    items: [
      item('地面、台阶无垃圾', 4),
      item('扶手、消火栓箱无积灰', 3),
      item('无堆放杂物', 3, { raisesOrder: true }),
    ],
  },
]

async function orderTypeOf(tx: Tx, scope: Scope): Promise<Id | undefined> {
  const found = await tx.one<{ id: Id }>(sql`
    select id
    from work_order_type
    where owner_id = ${scope.ownerId} and state = ${code(enabledState, 'on')} and ${notDeleted()}
    order by type_name <> '公共区域维修', id
    limit 1
  `)
  return found?.id
}

/** What all projects of a company use: plants and templates. */
export async function seedGroundTemplates(tx: Tx, scope: Scope): Promise<void> {
  await insertAll(tx, plant, scope, plants)
  const orderTypeId = await orderTypeOf(tx, scope)
  const common = { orderTypeId, state: 'on' as const }
  await insertAll(
    tx,
    greenTemplate,
    scope,
    greenTemplates.map(template => ({ ...template, ...common })),
  )
  await insertAll(
    tx,
    cleaningTemplate,
    scope,
    cleaningTemplates.map(template => ({ ...template, ...common })),
  )
}

const idsByName = async (tx: Tx, scope: Scope, table: 'plant' | 'cleaning_template', column: string) => {
  const rows = await tx.rows<{ id: Id; name: string }>(sql`
    select id, ${sql.id(column)} as name from ${sql.table(table)} where owner_id = ${scope.ownerId}
  `)
  return (name: string): Id => defined(rows.find(row => row.name === name)).id
}

/** The green areas of a project, and the cleaning points of its buildings. */
export async function seedGrounds(tx: Tx, scope: Scope, projectCode: string): Promise<void> {
  const plantId = await idsByName(tx, scope, 'plant', 'plant_name')
  const templateId = await idsByName(tx, scope, 'cleaning_template', 'template_name')
  await insertAll(
    tx,
    greenArea,
    scope,
    areas.map(([areaName, areaSize, position, growing]) => ({
      projectCode,
      areaName,
      areaSize,
      position,
      plants: Object.entries(growing).map(([name, qty]) => ({ plantId: plantId(name), qty })),
    })),
  )
  const buildings = await tx.rows<{ code: string }>(sql`
    select code
    from building
    where owner_id = ${scope.ownerId} and project_code = ${projectCode} and ${notDeleted()}
    order by sort, code
    limit 3
  `)
  const points = buildings.flatMap(({ code: buildCode }) => [
    { buildCode, locationName: '大堂', floorNum: 1, templateId: templateId('大堂与电梯厅') },
    { buildCode, locationName: '电梯厅', floorNum: 1, templateId: templateId('大堂与电梯厅') },
    { buildCode, locationName: '楼道', floorNum: 2, templateId: templateId('楼道') },
  ])
  await insertAll(
    tx,
    cleaningLocation,
    scope,
    points.map(point => ({
      projectCode,
      ...point,
      state: 'on' as const,
      qrCode: randomBytes(12).toString('hex'),
    })),
  )
}
