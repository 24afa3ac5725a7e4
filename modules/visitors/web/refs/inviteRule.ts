import { createRefSource } from '#kit/web/refs.ts'
import { pickRules } from '../../contract/rule.ts'

export default createRefSource(pickRules, {
  value: rule => rule.id,
  label: rule => rule.ruleName,
  disabledReason: rule => (rule.state === 'on' ? undefined : '已停用'),
  ofFormProject: true,
  inputForValues: ids => ({ ids: [...ids], size: Math.max(1, ids.length) }),
})
