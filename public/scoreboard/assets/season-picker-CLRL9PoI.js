<<<<<<<< HEAD:public/scoreboard/assets/season-picker-RMk_Ukvl.js
import{A as e,P as t}from"./index-BIWltBvw.js";var n=t();function r({season:t,hrefOf:r}){return(0,n.jsxs)(`nav`,{className:`days`,"aria-label":`Season`,children:[e(t-1)&&(0,n.jsxs)(`a`,{href:r(t-1),children:[`← `,t-1]}),(0,n.jsxs)(`strong`,{children:[`Season `,t]}),e(t+1)&&(0,n.jsxs)(`a`,{href:r(t+1),children:[t+1,` →`]})]})}export{r as t};
========
import{A as e,P as t}from"./index-CEPWzaaO.js";var n=t();function r({season:t,hrefOf:r}){return(0,n.jsxs)(`nav`,{className:`days`,"aria-label":`Season`,children:[e(t-1)&&(0,n.jsxs)(`a`,{href:r(t-1),children:[`← `,t-1]}),(0,n.jsxs)(`strong`,{children:[`Season `,t]}),e(t+1)&&(0,n.jsxs)(`a`,{href:r(t+1),children:[t+1,` →`]})]})}export{r as t};
>>>>>>>> acd5e50 (test(scoreboard): walks by keyboard, announcements, three time zones, a slow network, a restart, and Firefox):public/scoreboard/assets/season-picker-CLRL9PoI.js
