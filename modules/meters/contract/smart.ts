import { publicAccess, call } from '#kit/contract/call.ts'
import { int, lines, text } from '#kit/contract/field.ts'
import { shape } from '#kit/contract/shape.ts'

/**
 * Readings from a collector of the company. The ticket is `payload.signature` as for single sign-on:
 * base64url of `{"AppKey","Time" (seconds),"Nonce","ProjectCode","Readings":[{"DeviceNo" or
 * "MeterNo","CurNum","ReadDate","Registers"?}]}` and base64url of its HMAC-SHA-256 under the SHA-256 of the
 * AppSecret. It is valid for five minutes and once; the same reading sent again is the same row.
 */
export const submitSmartReadings = call({
  route: 'POST SmartMeter/PostReadings',
  title: '智能表上报读数',
  needs: publicAccess,
  perMinute: 120,
  affects: ['meterReading'],
  input: shape({ ticket: text('凭证', { required: true, max: 200_000, wire: 'Ticket', masked: 'secret' }) }),
  output: shape({
    success: int('成功', { required: true }),
    fail: int('失败', { required: true }),
    skipped: int('已有', { required: true }),
    rows: lines(
      '问题',
      {
        line: int('行', { required: true }),
        meterNo: text('表号'),
        reason: text('原因', { required: true }),
      },
      { required: true },
    ),
  }),
})
