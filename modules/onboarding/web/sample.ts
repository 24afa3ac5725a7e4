import { today } from '#kit/web/date-format.ts'
import { invalidate } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { chooseProject } from '#kit/web/session.ts'
import { addEstate } from '#modules/estates/contract/estate.ts'
import { addResident } from '#modules/residents/contract/resident.ts'
import { listRooms } from '#modules/rooms/contract/room.ts'
import { startSample } from '../contract/sample.ts'
import { feeTemplates } from '../domain/fee-templates.ts'
import {
  addBuildings,
  addFees,
  addRooms,
  billThisMonth,
  bindAll,
  isBindable,
  loadBuildings,
  loadStandards,
} from './actions.ts'

const quiet = { quiet: true, project: 0 } as const
const sampleName = '示例花园'
const residentCount = 8

async function addSampleResidents(projectCode: string): Promise<void> {
  const rooms = (await send(listRooms, { projectCode, page: 1, size: residentCount }, quiet)).rows
  for (const [i, room] of rooms.entries()) {
    await send(
      addResident,
      {
        homeProject: projectCode,
        name: `示例业主${i + 1}`,
        userType: 'person',
        state: 'normal',
        rooms: [{ roomCode: room.code ?? '', relation: 'owner', inDate: today() }],
      },
      { quiet: true, project: projectCode },
    )
  }
  await invalidate(['resident', 'residency', 'room'])
}

async function addSampleFees(projectCode: string): Promise<void> {
  await addFees(
    projectCode,
    feeTemplates
      .filter(t => t.feeType === 'cyclic' && t.scene === 'roomShop')
      .map(template => ({ template, price: template.price, months: 1 })),
  )
  for (const standard of (await loadStandards(projectCode)).filter(isBindable)) {
    await bindAll(projectCode, standard, 'room')
  }
}

/**
 * A small project made in the same way as a person would: two buildings, 24 rooms, residents, charges, bills.
 * What is made before a failure stays and is removed with the rest.
 */
export async function loadSample(onStep: (text: string) => void): Promise<void> {
  onStep('正在新增项目')
  const { projectCode } = await send(startSample, undefined, quiet)
  const estate = await send(
    addEstate,
    { projectCode, name: sampleName, projectType: 'housing', state: 'on', sort: 9999 },
    quiet,
  )
  chooseProject({ code: estate.projectCode, name: estate.name })
  await invalidate(['estate'])
  onStep('正在新增楼栋')
  await addBuildings({ projectCode, from: 1, to: 2, suffix: '栋', units: 1, floors: 6 })
  onStep('正在生成房间')
  await addRooms(
    { projectCode, perFloor: 2, roomType: 'home', roomState: 'vacant', buildArea: '96.5' },
    await loadBuildings(projectCode),
  )
  onStep('正在登记住户')
  await addSampleResidents(projectCode)
  onStep('正在设置收费')
  await addSampleFees(projectCode)
  onStep('正在生成账单')
  await billThisMonth(projectCode)
}
