<<<<<<<< HEAD:public/scoreboard/assets/visible-DSIpf1gn.js
import{Pt as e}from"./index-BIWltBvw.js";var t=e();function n(e){return document.addEventListener(`visibilitychange`,e),()=>document.removeEventListener(`visibilitychange`,e)}var r=()=>(0,t.useSyncExternalStore)(n,()=>!document.hidden);export{r as t};
========
import{mt as e}from"./index-CEPWzaaO.js";var t=e();function n(e){return document.addEventListener(`visibilitychange`,e),()=>document.removeEventListener(`visibilitychange`,e)}var r=()=>(0,t.useSyncExternalStore)(n,()=>!document.hidden);export{r as t};
>>>>>>>> acd5e50 (test(scoreboard): walks by keyboard, announcements, three time zones, a slow network, a restart, and Firefox):public/scoreboard/assets/visible-BJEGrlAg.js
