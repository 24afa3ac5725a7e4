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
  if (!data) return null
  const isLow = data.usableCount <= data.warnCount
  return (
    <p className={isLow ? 'sms-usable low' : 'sms-usable'}>
      短信余量 <b>{formatCount(data.usableCount)}</b> 条，冻结 {formatCount(data.frozenCount)} 条
      {isLow && `，已不多于预警值 ${formatCount(data.warnCount)} 条`}{' '}
      <Button size="small" onClick={() => navigateTo(paths.buy)}>
        购买短信
      </Button>
    </p>
  )
}
