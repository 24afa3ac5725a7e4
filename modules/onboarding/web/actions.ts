import type { Id } from '#kit/domain/id.ts'
import { firstOfMonth } from '#kit/domain/day.ts'
import { monthOf } from '#kit/domain/month.ts'
import { today } from '#kit/web/date-format.ts'
import { invalidate } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { generateBills, getRun, type RunDetail } from '#modules/bills/contract/run.ts'
import { addBuilding, listBuildings, type Building } from '#modules/estates/contract/building.ts'
import { batchBindByFilter, type BindResult } from '#modules/fees/contract/binding-calls.ts'
import { listFormulas } from '#modules/fees/contract/formula.ts'
import { addItem, listItems, type FeeItem } from '#modules/fees/contract/item.ts'
import { addStandard, listStandards } from '#modules/fees/contract/standard-calls.ts'
import type { FeeStandard } from '#modules/fees/contract/standard.ts'
import { addRoomBatch, type RoomBatch } from '#modules/rooms/contract/room-batch.ts'
import { plannedBuildingNames, type BuildingPlan } from '../domain/building-plan.ts'
import { standardNameOf, type FeeTemplate } from '../domain/fee-templates.ts'

/** Faults are shown by the form that asked; the project is the one the guide sets up. */
const quiet = { quiet: true, project: 0 } as const

/** Called after each of several requests: how many of how many are done. */
export type OnProgress = (done: number, total: number) => void

const maxRows = 500

export const loadBuildings = async (projectCode: string): Promise<readonly Building[]> =>
  (await send(listBuildings, { projectCode, page: 1, size: maxRows }, quiet)).rows

export interface NewBuildings extends BuildingPlan {
  readonly projectCode: string
  readonly units: number
  readonly floors: number
}

/** Adds the buildings that are not there yet. Returns how many. */
export async function addBuildings(plan: NewBuildings, onProgress?: OnProgress): Promise<number> {
  const { projectCode, units, floors } = plan
  const existing = new Set((await loadBuildings(projectCode)).map(b => b.name))
  const missing = plannedBuildingNames(plan).filter(name => !existing.has(name))
  for (const [i, name] of missing.entries()) {
    onProgress?.(i, missing.length)
    await send(
      addBuilding,
      {
        projectCode,
        name,
        units,
        floors: [String(floors)],
        unitType: 'number',
        sort: 0,
      },
      quiet,
    )
  }
  await invalidate(['building'])
  return missing.length
}

export type NewRooms = Omit<RoomBatch, 'buildCode' | 'floorFrom' | 'floorTo'>

const highestFloor = (b: Building): number => Math.max(...b.floors.map(Number))

/** Fills the buildings from the first to their highest floor; rooms that are there stay. */
export async function addRooms(
  rooms: NewRooms,
  buildings: readonly Building[],
  onProgress?: OnProgress,
): Promise<number> {
  let newCount = 0
  for (const [i, building] of buildings.entries()) {
    onProgress?.(i, buildings.length)
    const plan = await send(
      addRoomBatch,
      { ...rooms, buildCode: building.code ?? '', floorFrom: 1, floorTo: highestFloor(building) },
      quiet,
    )
    newCount += plan.newCount
  }
  await invalidate(['room'])
  return newCount
}

/** A template as a person has filled it in. */
export interface ChosenFee {
  readonly template: FeeTemplate
  readonly price: string
  readonly months: number
}

async function itemIdOf(template: FeeTemplate, known: readonly FeeItem[]): Promise<Id> {
  const existing = known.find(i => i.code === template.itemCode || i.name === template.name)
  if (existing) return existing.id
  const { id } = await send(
    addItem,
    {
      code: template.itemCode,
      name: template.name,
      feeType: template.feeType,
      category: template.category,
      incomeKind: template.incomeKind,
      scene: template.scene,
      inRate: true,
      billMode: 'auto',
      allowMulti: false,
      allowOnline: true,
      autoDeduct: true,
      principalSettles: false,
      lateFeeSwitch: false,
    },
    quiet,
  )
  return id
}

const standardTerms = {
  cycleType: 'natural',
  alignYear: true,
  startRule: 'fixedDate',
  prorateMode: 'actual',
  advanceDays: 0,
  delayDays: 0,
  dueBase: 'begin',
  dueDays: 30,
  dueSkipHoliday: false,
  roundType: 'halfUp',
  roundUnit: 'fen',
  tiersStretch: true,
} as const

/** Makes a standard of each chosen template, with its item where there is none yet. */
export async function addFees(projectCode: string, chosen: readonly ChosenFee[]): Promise<void> {
  const formulas = (await send(listFormulas, { page: 1, size: maxRows }, quiet)).rows
  const items = (await send(listItems, { page: 1, size: maxRows }, quiet)).rows
  for (const { template, price, months } of chosen) {
    const formula = formulas.find(f => f.isSystem && f.formulaType === template.formulaType)
    if (!formula) throw new Error(`没有内置公式，无法新增「${template.name}」`)
    await send(
      addStandard,
      {
        ...standardTerms,
        projectCode,
        code: template.standardCode,
        name: standardNameOf(template, months),
        feeItemId: await itemIdOf(template, items),
        formulaId: formula.id,
        cycleMonths: months,
        chargeMode: template.chargeMode,
        ...(template.areaKind ? { areaKind: template.areaKind } : {}),
        ...(template.usageUnit ? { usageUnit: template.usageUnit } : {}),
        price,
      },
      quiet,
    )
  }
  await invalidate(['feeItem', 'feeStandard'])
}

export const loadStandards = async (projectCode: string): Promise<readonly FeeStandard[]> =>
  (await send(listStandards, { projectCode, page: 1, size: maxRows }, quiet)).rows

/** Standards that a room or a place is charged by without a reading: metered ones follow their meters. */
export const isBindable = (s: FeeStandard): boolean => s.feeType === 'cyclic'

/** Binds one standard to all objects of a type, from the first of this month. */
export const bindAll = async (
  projectCode: string,
  standard: FeeStandard,
  type: 'room' | 'parkPlace',
  beginDate = firstOfMonth(today()),
): Promise<BindResult> => {
  const result = await send(
    batchBindByFilter,
    {
      projectCode,
      sourceType: type,
      standardIds: [String(standard.id)],
      mode: 'append',
      beginDate,
    },
    quiet,
  )
  await invalidate(['feeRelation', 'feeStandard'])
  return result
}

const isOver = (run: RunDetail): boolean => run.state !== 'waiting' && run.state !== 'running'
const pollMs = 400
const maxPolls = 300

/** Generates this month's bills of a project and waits until they are there. */
export async function billThisMonth(projectCode: string): Promise<RunDetail> {
  const { run } = await send(generateBills, { projectCode, month: monthOf(today()), isPreview: false }, quiet)
  if (!run) throw new Error('账单未生成，请重试')
  for (let i = 0; i < maxPolls; i++) {
    const current = await send(getRun, { id: run.id }, quiet)
    if (isOver(current)) {
      await invalidate(['bill', 'billRun', 'feeRelation'])
      return current
    }
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
  throw new Error('账单仍在生成，可在任务中心查看进度')
}
