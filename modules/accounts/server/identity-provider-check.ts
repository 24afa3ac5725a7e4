import type { testIdentityProvider } from '../contract/identity-provider.ts'
import type { StoredProvider } from './identity-provider-store.ts'
import { openProviderAgain, probeClient } from './oidc-client.ts'
import { describeFault, isClientRefused, providerCode } from './oidc-fault.ts'

type CheckResult = NonNullable<(typeof testIdentityProvider)['output']['T']>
type Check = CheckResult['checks'][number]

const pass = (name: string, result: string): Check => ({ name, isOk: true, result })
const fail = (name: string, result: string): Check => ({ name, isOk: false, result })

/** The texts of a list in the provider's metadata. */
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(word => typeof word === 'string') : []

type Configuration = Awaited<ReturnType<typeof openProviderAgain>>

/** Checks the metadata of the provider for what signing in needs. */
function checkMetadata(configuration: Configuration): Check[] {
  const metadata = configuration.serverMetadata()
  const algorithms = textsOf(metadata.id_token_signing_alg_values_supported)
  const hasPublicKey = algorithms.some(name => /^(RS|PS|ES|EdDSA|Ed)/.test(name))
  const missing = (['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const).filter(
    key => metadata[key] === undefined,
  )
  return [
    missing.length
      ? fail('登录地址', `身份平台的配置缺少 ${missing.join('、')}`)
      : pass('登录地址', new URL(metadata.authorization_endpoint ?? metadata.issuer).host),
    hasPublicKey || !algorithms.length
      ? pass('签名', algorithms.join('、') || '未说明')
      : fail('签名', `只支持 ${algorithms.join('、')}，需要公钥签名（如 RS256）`),
    pass('同时退出', metadata.end_session_endpoint ? '支持' : '不支持，退出本系统后身份平台仍保持登录'),
  ]
}

async function checkClient(configuration: Configuration, returnTo: string): Promise<Check> {
  const name = '客户端编号与密钥'
  const error = await probeClient(configuration, returnTo)
  if (isClientRefused(error)) return fail(name, '身份平台不认可，请核对客户端编号与密钥')
  const code = providerCode(error)
  if (code === 'invalid_grant') return pass(name, '身份平台认可')
  return code === undefined
    ? fail(name, describeFault(error))
    : pass(name, `无法确认（${code}），请试登录一次`)
}

/** Checks a provider as far as possible without a person signing in. */
export async function checkProvider(provider: StoredProvider, returnTo: string): Promise<CheckResult> {
  try {
    const configuration = await openProviderAgain(provider)
    const described = checkMetadata(configuration)
    const checks = [
      pass('身份平台', configuration.serverMetadata().issuer),
      ...described,
      ...(described.every(({ isOk }) => isOk) ? [await checkClient(configuration, returnTo)] : []),
    ]
    return {
      isOk: checks.every(({ isOk }) => isOk),
      checks,
      claims: textsOf(configuration.serverMetadata().claims_supported),
    }
  } catch (error) {
    return { isOk: false, checks: [fail('身份平台', describeFault(error))], claims: [] }
  }
}
