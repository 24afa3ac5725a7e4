import { rules } from '#kit/contract/rules.ts'

/** Only `https:` leaves the portal: no script, no data, no page that others on the way can read. */
export const secureUrlRule = {
  name: 'secureUrl',
  hint: '以 https:// 开头',
  test: (value: string): string | undefined =>
    rules.url.test(value) ?? (/^https:/i.test(value) ? undefined : '网址应以 https:// 开头'),
}
