interface GatewayKeyTimes {
  readonly pairTime?: string
  readonly codeExpireTime?: string
  readonly revokeTime?: string
  readonly revokeReason?: string
}

/** What last happened to the key, in a line under the gateway's name. */
export function gatewayKeyDetail(row: GatewayKeyTimes): string {
  if (row.revokeTime) return ['吊销', row.revokeTime, row.revokeReason].filter(Boolean).join(' ')
  if (row.pairTime) return `配对 ${row.pairTime}`
  return row.codeExpireTime ? `配对码有效至 ${row.codeExpireTime}` : '未生成配对码'
}
