import { expect, it } from 'vitest'
import type { Field } from '#kit/contract/field.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'

/** Records of a project that belong to no building, and why somebody with one building sees them all. */
const ofWholeProject: Readonly<Record<string, string>> = {
  estate: 'the project itself',
  park: 'a car park is under several buildings',
  parkPlace: 'a place of that car park',
  car: 'a car goes through the gates of the whole project',
  carValidity: 'of such a car',
  monthOrder: 'of such a car',
  carGroup: 'such cars, in car parks of the whole project',
  company: 'a company has rooms in several buildings',
  companyWorker: 'an employee of such a company',
  residentBlock: 'a person is turned away at every gate of the project',
  faceKey: 'its list goes by the residents that the caller sees (residents/server/face-key.ts)',
  payOrder: 'its list goes by bills and payments (payments/server/order-domain.ts)',
  feePackage: 'prices',
  feeStandard: 'prices',
  assetSwitch: 'settings',
  posTerminal: 'settings',
  gateway: 'serves the whole project',
  billRun: 'work on the whole project',
  sharePool: 'costs that the whole project shares',
  cashierHandover: 'the money of one cashier, by shift',
  dayClose: 'closes a day of the whole project',
  purchase: 'bought for the whole project',
  purchaseOrder: 'bought for the whole project',
  purchaseReceipt: 'bought for the whole project',
  workPlan: 'rounds and care go through the whole project',
  workTask: 'as its plan',
  workStep: 'as its plan',
  workSign: 'as its plan',
  doorwayGroup: 'doors of the whole project',
  inviteRule: 'settings',
  visitorCheckType: 'settings',
  visitorSetting: 'settings',
  visitorLocation: 'gates of the whole project',
  inviteValid: 'its list goes by the visitors that the caller sees (visitors/server/seen-validations.ts)',
  visitorBlock: 'a person is turned away at every gate of the project',
  inviteTemplate: 'settings',
  vipDoorway: 'a person, at doors of the whole project',
  parkCamera: 'lanes of car parks of the whole project',
  cameraReading: 'lanes of car parks of the whole project',
  activity: 'for the whole project or some of its buildings',
  merchantCoupon: 'of such car parks',
  merchantOrderDetail: 'as its order',
  merchantOrderReturn: 'as its order',
  wechatEstate: 'an account of the whole project',
  parkFeeRule: 'car parks of the whole project',
  parkLane: 'car parks of the whole project',
  parkingStay: 'car parks of the whole project',
  parkingCharge: 'car parks of the whole project',
  chargerStandard: 'prices',
  chargerHub: 'piles stand between the buildings',
  chargerOrder: 'charged at such a pile',
  hubException: 'of such a pile',
  hubCommand: 'of such a pile',
  boothShift: 'car parks of the whole project',
  shiftEvent: 'car parks of the whole project',
  passCode: 'its list goes by the residents that the caller sees (access/server/own/pass-code-handlers.ts)',
  patrolArea: 'rounds go through the whole project',
  patrolPoint: 'rounds go through the whole project',
  patrolDevice: 'handed out in the whole project',
  patrolRoad: 'rounds go through the whole project',
  patrolRoadPoint: 'rounds go through the whole project',
  greenArea: 'grounds lie between the buildings',
  fileDir: 'documents of the project',
  fileInfo: 'documents of the project',
  fileShare: 'documents of the project',
}

it('every record of a project is bounded by its building, or named with a reason (PERM-6)', async () => {
  const entities = (await loadInstalledModules()).flatMap(m => m.contract.entities)
  const unbounded = entities
    .filter(e => e.tenancy === 'project')
    .filter(e => !Object.values<Field>(e.fields).some(f => f.dataDomain === 'building'))
    .map(e => e.name)
  expect(unbounded.toSorted()).toEqual(Object.keys(ofWholeProject).toSorted())
})
