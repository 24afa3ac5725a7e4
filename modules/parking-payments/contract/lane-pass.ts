import { call, publicAccess } from '#kit/contract/call.ts'
import { flag, money, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'
import { carKeyField, codeField } from './payer.ts'

const basePath = 'parking/v1/Payer'

/** A car that the camera of an entrance could not read: it gets a number, which this telephone keeps. */
export const enterByCode = call({
  route: `POST ${basePath}/Enter`,
  title: '无牌车扫码入场',
  needs: publicAccess,
  perMinute: 10,
  affects: ['parkingStay', 'cameraReading'],
  input: shape({ code: codeField, carKey: carKeyField }),
  output: shape({
    isOpen: flag('放行', { required: true, wire: 'Open' }),
    reason: text('原因', { required: true, wire: 'Reason' }),
    plateNo: text('编号', { wire: 'PlateNo' }),
    carKey: carKeyField,
  }),
})

/** The same car at an exit: it is let out, or the page shows what it owes. */
export const leaveByCode = call({
  route: `POST ${basePath}/Leave`,
  title: '无牌车扫码出场',
  needs: publicAccess,
  perMinute: 10,
  affects: ['parkingStay'],
  input: shape({ code: codeField, carKey: { ...carKeyField, required: true as const } }),
  output: shape({
    isOpen: flag('放行', { required: true, wire: 'Open' }),
    reason: text('原因', { required: true, wire: 'Reason' }),
    due: money('待收', { required: true, wire: 'Due' }),
  }),
})
