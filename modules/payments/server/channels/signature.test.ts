import { generateKeyPairSync } from 'node:crypto'
import { expect, it } from 'vitest'
import {
  extractAlipaySignedPart,
  signAlipayParams,
  buildAlipaySignText,
  verifyAlipayParams,
} from './alipay-signature.ts'
import {
  buildAuthorization,
  verifyAuthorization,
  encryptResource,
  buildSignatureHeaders,
  findSignatureFault,
  decryptResource,
} from './wechat-signature.ts'

const createKeyPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

const ownKeys = createKeyPair()
const other = createKeyPair()
const body = '{"a":1}'

it('WeChat Pay v3: requests, responses and their encrypted parts cannot be changed', () => {
  const header = buildAuthorization(
    { mchId: 'M', serialNo: 'S', privateKey: ownKeys.privateKey },
    'POST',
    '/v3/x',
    body,
    1000,
  )
  expect(verifyAuthorization(header, 'POST', '/v3/x', body, ownKeys.publicKey)).toMatchObject({
    mchid: 'M',
    serial_no: 'S',
    timestamp: '1000',
  })
  for (const [method, path, text, key] of [
    ['GET', '/v3/x', body, ownKeys],
    ['POST', '/v3/y', body, ownKeys],
    ['POST', '/v3/x', `${body} `, ownKeys],
    ['POST', '/v3/x', body, other],
  ] as const) {
    expect(verifyAuthorization(header, method, path, text, key.publicKey)).toBeUndefined()
  }
  const stamped = buildSignatureHeaders(body, ownKeys.privateKey, 'P', 1000)
  expect(findSignatureFault(stamped, body, ownKeys.publicKey, 'P', 1300)).toBeUndefined()
  expect(findSignatureFault(stamped, body, ownKeys.publicKey, 'P', 1301)).toBe('时间戳超出五分钟')
  expect(findSignatureFault(stamped, body, ownKeys.publicKey, 'Q', 1000)).toBe('平台公钥编号不符')
  expect(findSignatureFault(stamped, '{"a":2}', ownKeys.publicKey, 'P', 1000)).toBe('签名不符')
  expect(findSignatureFault({ ...stamped, 'wechatpay-nonce': 'x' }, body, ownKeys.publicKey, 'P', 1000)).toBe(
    '签名不符',
  )
  const key = 'k'.repeat(32)
  const sealed = encryptResource('到账', key)
  expect(decryptResource(sealed, key)).toBe('到账')
  expect(() => decryptResource(sealed, 'x'.repeat(32))).toThrow()
  expect(() => decryptResource({ ...sealed, associated_data: 'refund' }, key)).toThrow()
})

it('Alipay: names in order, nothing empty; a callback leaves sign_type out of what is signed', () => {
  expect(buildAlipaySignText({ b: '2', a: '1', empty: '', sign: 'x' }, ['sign'])).toBe('a=1&b=2')
  const request = signAlipayParams({ app_id: 'A', sign_type: 'RSA2', biz_content: '{}' }, ownKeys.privateKey)
  const callback = {
    ...signAlipayParams({ app_id: 'A', total_amount: '1.00' }, ownKeys.privateKey),
    sign_type: 'RSA2',
  }
  expect([
    verifyAlipayParams(request, ownKeys.publicKey, { isCallback: false }),
    verifyAlipayParams(callback, ownKeys.publicKey, { isCallback: true }),
  ]).toEqual([true, true])
  expect([
    verifyAlipayParams(request, other.publicKey, { isCallback: false }),
    verifyAlipayParams({ ...callback, total_amount: '0.01' }, ownKeys.publicKey, { isCallback: true }),
    verifyAlipayParams(callback, ownKeys.publicKey, { isCallback: false }),
  ]).toEqual([false, false, false])
  expect(extractAlipaySignedPart('{"a_response":{"x":"}\\"{","y":{"z":1}},"sign":"s"}', 'a_response')).toBe(
    '{"x":"}\\"{","y":{"z":1}}',
  )
  expect(extractAlipaySignedPart('{"error":1}', 'a_response')).toBeUndefined()
})
