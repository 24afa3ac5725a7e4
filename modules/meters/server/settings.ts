import { declareSetting } from '#modules/estates/server/public.ts'

/** MTR-5: at most one live reading of a meter in a month, unless the estate reads oftener. */
export const monthlyReadingSetting = declareSetting({
  key: 'MeterOnceAMonth',
  label: '每表每月只抄一次',
  help: '填 1：每块表一个月只能有一次读数；填 0：一个月可以抄多次（按天抄表、半月抄表）',
  defaultValue: '1',
  check: v => (v === '0' || v === '1' ? undefined : '每表每月只抄一次应填 1 或 0'),
})
