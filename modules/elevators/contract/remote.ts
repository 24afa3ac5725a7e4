import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, int, lookup, moment, ref, systemChoice, text } from '#kit/contract/field.ts'
import { recordOf, shape } from '#kit/contract/shape.ts'
import { buildingThrough, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { remoteAction, remoteState } from './choices.ts'
import { floorRule } from './elevator.ts'

const floorField = text('楼层', { required: true, max: 4, rule: floorRule, hiddenIn: ['filter'] })
const secondsField = int('开放时长', {
  min: 5,
  max: 3600,
  unit: '秒',
  hiddenIn: ['filter'],
  help: '不填为 60 秒',
})
const reasonField = text('原因', { required: true, min: 2, max: 200, hiddenIn: ['filter'] })

/** What somebody did to a lift from afar, and what became of it. */
export const elevatorCommand = entity(
  'elevatorCommand',
  '远程梯控记录',
  { table: 'elevator_command', tenancy: 'project', title: 'elevatorName', order: ['-id'] },
  {
    projectCode: estateField(),
    buildCode: buildingThrough('elevatorId'),
    elevatorId: ref('电梯', 'elevator', {
      required: true,
      wire: ['ElevatorID', 'ElevatorId'],
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    elevatorName: lookup('电梯', 'elevatorId', 'name', { wire: 'ElevatorName' }),
    action: choice('操作', remoteAction, { required: true, initial: 'callLift' }),
    floor: floorField,
    seconds: secondsField,
    reason: reasonField,
    operatorName: text('操作人', { required: true, max: 40, searchable: true, hiddenIn: ['filter'] }),
    state: systemChoice('结果', remoteState, 'sent'),
    endTime: moment('完成时间', { hiddenIn: ['filter'] }),
    failure: text('失败原因', { max: 300, hiddenIn: ['filter'] }),
  },
)

export type ElevatorCommand = Row<typeof elevatorCommand>

const { permissions } = menu.remote

export const elevatorCommands = crud(elevatorCommand, {
  path: 'ElevatorRemote',
  permissions,
  operations: ['list'],
  filters: ['elevatorId', 'action', 'state'],
})

export const sendElevatorCommand = call({
  route: 'POST ElevatorRemote/PostCall',
  title: '远程呼梯',
  needs: permissions.send,
  affects: ['elevatorCommand', 'elevator'],
  input: shape({
    elevatorId: ref('电梯', 'elevator', { required: true, wire: ['ElevatorID', 'ElevatorId'] }),
    action: choice('操作', remoteAction, { required: true, initial: 'callLift' }),
    floor: floorField,
    seconds: secondsField,
    reason: reasonField,
  }),
  output: recordOf(elevatorCommand),
})
