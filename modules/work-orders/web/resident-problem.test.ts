import { expect, it } from 'vitest'
import { invalidField, Refused, resultCode } from '#kit/contract/wire.ts'
import { RequestFailure } from '#kit/web/send.ts'
import { describeProblem } from './resident-problem.tsx'

it('a wrong link, a wrong field, too many tries and a lost network have words of their own', () => {
  const wrongLink = '链接无效，请重新扫描现场的二维码，或联系物业'
  expect(
    [
      new Refused(resultCode.notFound, wrongLink),
      invalidField('ContactPhone', '手机号格式不正确'),
      new Refused(resultCode.rateLimited, '操作过于频繁，请稍后再试'),
      new RequestFailure(429, ''),
      new RequestFailure(413, ''),
      new RequestFailure(0, '网络错误'),
    ].map(describeProblem),
  ).toEqual([
    wrongLink,
    '手机号格式不正确',
    '操作过于频繁，请一分钟后再试',
    '操作过于频繁，请一分钟后再试',
    '文件超过大小限制，请选择较小的文件',
    '网络不通，请检查网络后重试',
  ])
})
