import * as account from './account.ts'
import * as company from './company.ts'
import * as domain from './data-domain.ts'
import * as manager from './manager.ts'
import * as permission from './permission.ts'
import * as role from './role.ts'
import * as signIn from './sign-in.ts'

export const contract = {
  calls: [
    company.door, company.setUp,
    signIn.login, signIn.logout, signIn.captchaPicture, signIn.renewToken, signIn.tokenLeft,
    permission.myMenus,
    account.account, account.changePassword, account.rememberProject,
    manager.listManagers, manager.oneManager, manager.addManager, manager.editManager, manager.deleteManagers, manager.switchManager, manager.resetPassword,
    manager.openWork, manager.resign, manager.pickManagers, manager.subAdmins,
    domain.getDomain, domain.putDomain, domain.getProjectMenu, domain.setProjectMenu,
    role.listRoles, role.oneRole, role.roleTree, role.addRole, role.editRole, role.deleteRoles,
  ],
  entities: [company.property, manager.manager, role.role],
  choices: [company.edition, company.companyState, manager.managerType, manager.managerState, signIn.qrState],
}
