import { Button } from 'antd'
import { navigateTo } from '#kit/web/navigation.ts'
import { paths } from '../paths.ts'

export function AccountStep() {
  return (
    <div className="inline-form">
      <div className="inline-form-actions">
        <Button type="primary" onClick={() => navigateTo(paths.addManager)}>
          新增管理员
        </Button>
        <Button onClick={() => navigateTo(paths.roles)}>设置角色</Button>
        <Button onClick={() => navigateTo(paths.printSetting)}>设置收据样式</Button>
      </div>
    </div>
  )
}
