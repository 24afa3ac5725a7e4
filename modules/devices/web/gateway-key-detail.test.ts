import { expect, it } from 'vitest'
import { gatewayKeyDetail } from './gateway-key-detail.ts'

it('a narrow list of keys says under the name what last happened', () => {
  const pairTime = '2026-11-20 09:30:00'
  expect(gatewayKeyDetail({})).toBe('未生成配对码')
  expect(gatewayKeyDetail({ codeExpireTime: pairTime })).toBe(`配对码有效至 ${pairTime}`)
  expect(gatewayKeyDetail({ pairTime })).toBe(`配对 ${pairTime}`)
  expect(gatewayKeyDetail({ pairTime, revokeTime: '2026-11-21 10:00:00', revokeReason: '更换设备' })).toBe(
    '吊销 2026-11-21 10:00:00 更换设备',
  )
})
