import { call } from '#kit/contract/call.ts'
import { flag, lines, list, ref, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { menu } from '../module.ts'

/** A project of a data domain, whole or some of its buildings (PERM-6, PERM-12). */
const projectDomainFields = {
  projectCode: text('项目', {
    required: true,
    max: 20,
    dataDomain: 'project' as const,
    wire: ['Projectcode', 'ProjectCode'],
  }),
  projectName: text('项目名称', { derived: true }),
  buildCodes: list('楼栋', { max: 500, wire: 'Buildcodes', help: '不选则为整个项目' }),
}

const dataDomainFields = {
  managerId: ref('账号', 'manager', { required: true, wire: 'ManagerID' }),
  allProject: flag('全部项目', { required: true, initial: false, help: '包括以后新增的项目' }),
  projectCodes: list('项目', { max: 1000, dataDomain: 'project', wire: 'Projectcodes' }),
  places: lines('范围', projectDomainFields, { max: 1000 }),
}

export const getDataDomain = call({
  route: 'GET Managerdatadomain/Get',
  title: '查看数据范围',
  needs: menu.manager.permissions.view,
  input: shape({ managerId: dataDomainFields.managerId }),
  output: shape(dataDomainFields),
})

/** Replaces the whole data domain. `Projectcodes` alone gives whole projects. */
export const saveDataDomain = call({
  route: 'PUT Managerdatadomain/Put',
  title: '设置数据范围',
  needs: menu.manager.permissions.domain,
  input: shape(dataDomainFields),
  output: noData,
  affects: ['manager'],
})

/** Opens or closes menus of a project; those not listed stay as they are. */
export const setProjectMenu = call({
  route: 'POST ProjectMenu/SetRule',
  title: '设置项目菜单',
  needs: menu.role.permissions.edit,
  input: shape({
    projectCode: projectDomainFields.projectCode,
    rules: lines(
      '规则',
      { menuCode: text('菜单', { required: true, max: 60 }), enabled: flag('启用', { required: true }) },
      { required: true, max: 500, wire: 'Rules' },
    ),
  }),
  output: noData,
})

export const getProjectMenu = call({
  route: 'GET ProjectMenu/Get',
  title: '查看项目菜单',
  needs: menu.role.permissions.view,
  input: shape({ projectCode: projectDomainFields.projectCode }),
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
