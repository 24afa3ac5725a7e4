import { sql, type RawBuilder } from '#kit/server/db.ts'
import { registerDependentRows, type DependentRows } from '#kit/server/dependents.ts'
import { code, codes } from '#kit/server/sql.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import type { Room } from '#modules/rooms/contract/room.ts'
import type { Resident } from '../contract/resident.ts'
import { residencyStatus, cardState, faceState, residentState } from '../contract/labels.ts'

type Sql = RawBuilder<unknown>

const residencies = <T>(label: string, condition: (row: T) => Sql): DependentRows => ({
  label,
  table: 'user_room',
  where: row => sql`${condition(row)} and status in ${codes(residencyStatus, 'pending', 'living')}`,
})

const cards = <T>(condition: (row: T) => Sql): DependentRows => ({
  label: '门禁卡',
  table: 'identity_card',
  where: row => sql`${condition(row)} and state <> ${code(cardState, 'ended')}`,
})

const faces = <T>(condition: (row: T) => Sql): DependentRows => ({
  label: '人脸',
  table: 'face_key',
  where: row => sql`${condition(row)} and state <> ${code(faceState, 'deleted')}`,
})

const ofRoom = (room: Room): Sql => sql`room_id = ${room.id}`
const ofPerson = (person: Resident): Sql => sql`user_id = ${person.id}`

// BASE-5: a room stays while somebody lives in it or applies to, and while a card is issued for it.
registerDependentRows('room', residencies('住户', ofRoom), cards(ofRoom))

const ofEstate = ({ projectCode }: Estate): Sql => sql`project_code = ${projectCode}`

registerDependentRows(
  'estate',
  {
    label: '住户',
    table: 'resident',
    where: (estate: Estate) =>
      sql`home_project = ${estate.projectCode} and state = ${code(residentState, 'normal')}`,
  },
  cards(ofEstate),
  faces(ofEstate),
)

registerDependentRows('resident', residencies('房屋关系', ofPerson), cards(ofPerson), faces(ofPerson))

registerDependentRows('resident', { label: '指纹', table: 'resident_fingerprint', where: ofPerson })
