import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, file, flag, idOf, int, lookup, moment, ref, text } from '#kit/contract/field.ts'
import { recordIdField, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { plateColor } from '#modules/parking/contract/car-labels.ts'
import { passedPlateField, passWay, reportPassage } from '#modules/parking-lanes/contract/passage.ts'
import { menu } from '../module.ts'
import { readingState } from './choices.ts'

const inDetail = { hiddenIn: ['table', 'filter'] } as const
const hidden = { hiddenIn: ['table', 'filter', 'sheet', 'detail'] } as const
const chosen = { hiddenIn: ['table', 'sheet', 'detail'] } as const

/** What a camera read, once by its number of the record, and what came of it. */
export const cameraReading = entity(
  'cameraReading',
  '识别记录',
  { table: 'park_camera_reading', tenancy: 'project', title: 'plateNo', order: ['-readTime'] },
  {
    projectCode: estateField(),
    readTime: moment('时间', { required: true }),
    laneId: ref('车道', 'parkLane', { required: true, wire: ['GateID', 'GateId'], ...chosen }),
    laneName: lookup('车道', 'laneId', 'laneName', { wire: 'GateName' }),
    cameraId: ref('相机', 'parkCamera', { required: true, wire: ['CameraID', 'CameraId'], ...chosen }),
    cameraName: lookup('相机', 'cameraId', 'cameraName', { wire: 'CameraName', hiddenIn: ['table'] }),
    plateNo: text('识别车牌', { max: 12, wire: 'PlateNo' }),
    plateColor: choice('车牌颜色', plateColor, { ...inDetail }),
    confidence: int('可信度', { required: true, unit: '%', hiddenIn: ['filter'] }),
    way: choice('进出', passWay, { required: true, wire: 'Way' }),
    deviceTime: moment('相机时间', { ...inDetail }),
    isOffline: flag('断网补报', { required: true, wire: 'Offline' }),
    state: choice('结果', readingState, { required: true }),
    reason: text('说明', { max: 200, wire: 'Reason', hiddenIn: ['filter'] }),
    checkedPlate: text('核对为', { max: 12, wire: 'CheckedPlate', ...inDetail }),
    operatorName: text('核对人', { max: 40, ...inDetail }),
    picture: file('抓拍', { wire: ['SnapUrl', 'Picture'], hiddenIn: ['filter', 'sheet'] }),
    pictureFault: text('抓拍未保存', { max: 60, hiddenIn: ['table', 'filter', 'sheet'] }),
    stayId: idOf('出入记录', { wire: 'StayID', ...hidden }),
    recordKey: text('相机记录号', { required: true, max: 38, ...inDetail }),
    /** The passage it belongs to: two cameras of a lane that read one car have the same. */
    passKey: text('通行标识', { required: true, max: 80, wire: 'PassKey', ...hidden }),
  },
)

export type CameraReading = Row<typeof cameraReading>

const { permissions } = menu.reading

/** Of the last seven days, unless another time is asked. */
export const cameraReadings = crud(cameraReading, {
  path: 'ParkCameraRecord',
  permissions,
  operations: ['list', 'get'],
  filters: ['laneId', 'cameraId', 'readTime', 'state', 'way', 'isOffline'],
  search: {
    /** A part of it. */
    plateNo: text('车牌', { max: 8, wire: 'PlateNo' }),
  },
})

/**
 * Somebody has looked at the picture: the car is decided by the plate that is in it, and the barrier opens
 * where that lets it pass.
 */
export const checkReading = call({
  route: 'POST ParkCameraRecord/PostCheck',
  title: '核对车牌',
  needs: permissions.check,
  affects: ['cameraReading', 'parkingStay'],
  input: shape({ id: recordIdField, plateNo: passedPlateField }),
  output: reportPassage.output,
})
