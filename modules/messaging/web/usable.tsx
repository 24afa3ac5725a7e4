import { navigateTo } from '#kit/web/navigation.ts'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { Button } from 'antd'
import { getUsableSms } from '../contract/quota.ts'
import { paths } from './paths.ts'
import './messaging.css'

/** How many short messages are left, and where to buy more. */
export function Usable() {
  const { data } = useCall(getUsableSms, undefined, { quiet: true, project: 0, staleMs: 0 })
  const isLow = data !== undefined && data.usableCount <= data.warnCount
  const figure = (count: number | undefined): string => (count === undefined ? '…' : formatCount(count))
  // Its line is there from the first: what follows does not move.
  return (
    <p className={isLow ? 'sms-usable low' : 'sms-usable'}>
      短信余量 <b>{figure(data?.usableCount)}</b> 条，冻结 {figure(data?.frozenCount)} 条
      {isLow && `，已不多于预警值 ${formatCount(data.warnCount)} 条`}{' '}
      <Button size="small" onClick={() => navigateTo(paths.buy)}>
        购买短信
      </Button>
    </p>
  )
}
