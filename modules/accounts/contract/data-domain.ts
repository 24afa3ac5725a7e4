import { call } from '#kit/contract/call.ts'
import { flag, lines, list, ref, text } from '#kit/contract/field.ts'
import { nothing, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

/** A project of somebody's, whole or some buildings of it (PERM-6, PERM-12). */
const place = {
  projectCode: text('项目', {
    required: true,
    max: 20,
    within: 'project' as const,
    wire: ['Projectcode', 'ProjectCode'],
  }),
  projectName: text('项目名称', { derived: true }),
  buildCodes: list('楼栋', { max: 500, wire: 'Buildcodes', help: '不选则为整个项目' }),
}

const domain = {
  managerId: ref('账号', 'manager', { required: true, wire: 'ManagerID' }),
  allProject: flag('全部项目', { required: true, initial: false, help: '包括以后新增的项目' }),
  projectCodes: list('项目', { max: 1000, within: 'project', wire: 'Projectcodes' }),
  places: lines('范围', place, { max: 1000 }),
}

export const getDomain = call({
  at: 'GET Managerdatadomain/Get',
  title: '查看数据范围',
  needs: menu.manager.may.view,
  input: shape({ managerId: domain.managerId }),
  output: shape(domain),
})

/** Whole: what is not named is taken away. `Projectcodes` alone gives whole projects. */
export const putDomain = call({
  at: 'PUT Managerdatadomain/Put',
  title: '设置数据范围',
  needs: menu.manager.may.domain,
  input: shape(domain),
  output: nothing,
  affects: ['manager'],
})

/** Which menus a project shows at all; unnamed ones stay as they are. */
export const setProjectMenu = call({
  at: 'POST ProjectMenu/SetRule',
  title: '设置项目菜单',
  needs: menu.role.may.edit,
  input: shape({
    projectCode: place.projectCode,
    rules: lines(
      '规则',
      { menuCode: text('菜单', { required: true, max: 60 }), enabled: flag('启用', { required: true }) },
      { required: true, max: 500, wire: 'Rules' },
    ),
  }),
  output: nothing,
})

export const getProjectMenu = call({
  at: 'GET ProjectMenu/Get',
  title: '查看项目菜单',
  needs: menu.role.may.view,
  input: shape({ projectCode: place.projectCode }),
  output: shape({
    closed: list('已关闭的菜单', { wire: 'Closed' }),
    menus: lines(
      '菜单',
      {
        menuCode: text('菜单', { required: true }),
        menuName: text('名称', { required: true }),
        moduleName: text('模块', { required: true }),
        enabled: flag('启用', { required: true }),
      },
      { required: true, wire: 'Menus', help: '只有按项目显示的菜单；公司设置不按项目关闭' },
    ),
  }),
})
