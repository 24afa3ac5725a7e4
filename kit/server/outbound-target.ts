import { lookup as resolve, type LookupAddress } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Networks that are nobody's on the internet: another machine of this house, or this machine itself. */
const privateNetworks = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '::1/128',
  'fc00::/7',
]

/** Reached by nothing, whatever the setting: link-local (the services of clouds), multicast, reserved. */
const forbiddenNetworks = [
  '0.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  '64:ff9b::/96',
  '2001:db8::/32',
  'fe80::/10',
  'ff00::/8',
]

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/')
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4')
  }
  return list
}

const privateAddresses = blockListOf(privateNetworks)
const forbiddenAddresses = blockListOf(forbiddenNetworks)

/** An address that may not be reached; the message says so. */
export class ForbiddenTarget extends Error {}

const blocks = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

interface TargetRules {
  /** Whether this machine, those of its network, and plain `http` may be reached. */
  readonly allowsPrivate: () => boolean
  /** How a refusal names what is done: 推送到, 连接. */
  readonly actionLabel: string
}

/**
 * What addresses that people type in may lead to, so that the server reaches nothing inside on their
 * behalf.
 */
export interface TargetGuard {
  /** Why a URL cannot be used, as text for its form; names are looked up on connecting. */
  readonly urlRefusal: (text: string) => string | undefined
  /**
   * Looks a name up for a connection and refuses it when any of its addresses is refused. It is the
   * connection itself that asks: a name that changes after it was checked reaches nobody else.
   */
  readonly lookup: LookupFunction
}

export function createTargetGuard({ allowsPrivate, actionLabel }: TargetRules): TargetGuard {
  /** IPv4 within IPv6 (`::ffff:…`) is judged as what it is. */
  const addressRefusal = (address: string): string | undefined => {
    if (blocks(forbiddenAddresses, address)) return `不能${actionLabel}地址 ${address}`
    return blocks(privateAddresses, address) && !allowsPrivate()
      ? `不能${actionLabel}内网或本机地址 ${address}`
      : undefined
  }
  const urlRefusal = (text: string): string | undefined => {
    const url = URL.parse(text)
    if (!url) return '地址不正确，应为 https:// 开头的完整地址'
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && allowsPrivate()))
      return '地址应以 https:// 开头'
    if (url.username || url.password) return '地址中不能有用户名和口令'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host)) return addressRefusal(host)
    return !allowsPrivate() && /^localhost\.?$|\.(localhost|local|internal)\.?$/i.test(host)
      ? `不能${actionLabel}内网或本机地址 ${host}`
      : undefined
  }
  const refusalOf = (addresses: readonly LookupAddress[]): string | undefined =>
    addresses.map(({ address }) => addressRefusal(address)).find(why => why !== undefined)
  const lookup: LookupFunction = (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        done(error, [])
        return
      }
      const refusal = refusalOf(addresses)
      const [first] = addresses
      if (refusal !== undefined || !first) {
        done(new ForbiddenTarget(refusal ?? '地址无法解析'), [])
      } else if (options.all) {
        done(null, addresses)
      } else {
        done(null, first.address, first.family)
      }
    })
  }
  return { urlRefusal, lookup }
}
