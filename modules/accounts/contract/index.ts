import * as account from './account.ts'
import * as codes from './codes.ts'
import * as company from './company.ts'
import * as devices from './devices.ts'
import * as domain from './data-domain.ts'
import * as guide from './guide.ts'
import * as log from './log.ts'
import * as manager from './manager.ts'
import * as permission from './permission.ts'
import * as print from './print.ts'
import * as qr from './qr.ts'
import * as role from './role.ts'
import * as signIn from './sign-in.ts'
import * as wechat from './wechat.ts'

export const contract = {
  calls: [
    company.door, company.setUp, company.myCompany, company.editCompany, company.newSecret, company.ssoLogin, guide.guide,
    print.printSettings, print.putPrint, print.dropPrint, print.printEditions,
    log.operations, log.oneOperation, log.historyOf, log.noteShown,
    signIn.login, signIn.logout, signIn.captchaPicture, signIn.renewToken, signIn.tokenLeft,
    permission.myMenus,
    account.account, account.changePassword, account.rememberProject, account.changeHead,
    manager.listManagers, ...manager.exportManagers.calls, manager.oneManager, manager.addManager, manager.editManager, manager.deleteManagers, manager.switchManager, manager.resetPassword, manager.resetFactor,
    manager.openWork, manager.resign, manager.pickManagers, manager.subAdmins,
    domain.getDomain, domain.putDomain, domain.getProjectMenu, domain.setProjectMenu,
    manager.transferOwner, codes.sendCode, codes.sendCodeOutside, codes.checkCode, codes.findPassword, codes.register, codes.changeMobile,
    qr.loginQr, qr.scanState, qr.scanned, qr.confirmScan, qr.cancelScan,
    wechat.bindQr, wechat.bindState, wechat.bindScanned, wechat.bindConfirm, wechat.bindCancel, wechat.unbind,
    devices.devices, devices.endSessions, devices.beginTotp, devices.confirmTotp, devices.endTotp,
    role.listRoles, role.pickRoles, role.oneRole, role.roleTree, role.addRole, role.editRole, role.deleteRoles, role.rightsReport,
  ],
  entities: [company.property, manager.manager, role.role, print.propertyPrint],
  choices: [guide.guideStep, company.edition, company.companyState, manager.managerType, manager.managerState, signIn.qrState, codes.codePurpose, log.actionName, print.docType, print.paperSize, print.printPart],
}
